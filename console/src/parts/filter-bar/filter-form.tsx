/** Every filter at once. Values that are known are offered; others may be typed. */
import { type FormEvent, type KeyboardEvent, type ReactNode, useId } from 'react'
import { usePlace } from '../../url/location.ts'
import { type FilterName, TAG_WORDS } from './list-filter.ts'
import { parseWallTime, toWallTime } from './time-ranges.ts'
import { useKnownValues } from './use-known-values.ts'

/** A member that one page has of its own; its first option is the usual one. */
export type FilterChoice = {
  readonly name: string
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

export type FilterFormProps = {
  readonly id: string
  /** What the list has nothing for. */
  readonly lacks?: readonly FilterName[] | undefined
  readonly choices?: readonly FilterChoice[] | undefined
  /** In place of the kinds of actions. */
  readonly kinds?: readonly string[] | undefined
  /** Those that the list shows. */
  readonly measures?: readonly string[] | undefined
  readonly change: (members: Readonly<Record<string, string>>) => void
  readonly close: () => void
}

const TAGS = Object.entries(TAG_WORDS).map(([value, label]) => ({ value, label }))

export function FilterForm(props: FilterFormProps): ReactNode {
  const { id, lacks = [], choices = [], measures = [], change, close } = props
  const { query } = usePlace()
  const known = useKnownValues(props.kinds)
  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    change(readForm(new FormData(event.currentTarget), choices, query))
    close()
  }
  const handleEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close()
  }
  const tags = [{ value: '', label: 'any' }, ...TAGS]
  return (
    <form
      className="filter-form"
      id={id}
      aria-label="filter"
      onSubmit={apply}
      onKeyDown={handleEscape}
    >
      <TextField name="agent" known={known.agents} />
      <TextField name="kind" known={known.kinds} />
      <TextField name="reason" known={known.reasons} />
      {lacks.includes('amount_min') ? null : <AmountFields measures={measures} />}
      {choices.map((choice) => (
        <ChoiceField key={choice.name} {...choice} />
      ))}
      {lacks.includes('tag') ? null : <ChoiceField name="tag" label="tag" options={tags} />}
      <MomentField name="since" label="from" />
      <MomentField name="until" label="until" />
      <p className="row filter-send">
        <button type="submit" className="main">
          Apply
        </button>
        <button type="button" onClick={close}>
          Close
        </button>
      </p>
    </form>
  )
}

function TextField({
  name,
  known,
}: {
  readonly name: FilterName
  readonly known: readonly string[]
}): ReactNode {
  const { query } = usePlace()
  const id = useId()
  return (
    <label>
      {name === 'measure' ? 'amount of' : name}
      <input name={name} list={id} defaultValue={query.get(name) ?? ''} autoComplete="off" />
      <datalist id={id}>
        {known.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </label>
  )
}

/** As the server reads it. */
const AMOUNT = '(0|[1-9][0-9]{0,15})([.][0-9]{1,6})?'

function AmountFields({ measures }: { readonly measures: readonly string[] }): ReactNode {
  const { query } = usePlace()
  const bounds = [
    { name: 'amount_min', label: 'at least' },
    { name: 'amount_max', label: 'at most' },
  ]
  return (
    <>
      <TextField name="measure" known={measures} />
      {bounds.map(({ name, label }) => (
        <label key={name}>
          {label}
          <input
            name={name}
            inputMode="decimal"
            pattern={AMOUNT}
            title="an amount, such as 500 or 20.50"
            defaultValue={query.get(name) ?? ''}
          />
        </label>
      ))}
    </>
  )
}

function ChoiceField({ name, label, options }: FilterChoice): ReactNode {
  const { query } = usePlace()
  return (
    <label>
      {label}
      <select name={name} defaultValue={query.get(name) ?? options[0]?.value}>
        {options.map(({ value, label: word }) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    </label>
  )
}

function MomentField({
  name,
  label,
}: {
  readonly name: 'since' | 'until'
  readonly label: string
}): ReactNode {
  const { query } = usePlace()
  return (
    <label>
      {label} <span className="quiet small">local time</span>
      <input type="datetime-local" name={name} defaultValue={toWallTime(query.get(name) ?? '')} />
    </label>
  )
}

/** Members of the address; a usual one is empty. */
function readForm(
  form: FormData,
  choices: readonly FilterChoice[],
  query: URLSearchParams,
): Readonly<Record<string, string>> {
  const said = Object.fromEntries([...form].map(([name, value]) => [name, String(value).trim()]))
  const usual = choices.flatMap(({ name, options }) =>
    said[name] === options[0]?.value ? [[name, '']] : [],
  )
  const since = keepMoment(said.since ?? '', query.get('since') ?? '')
  const until = keepMoment(said.until ?? '', query.get('until') ?? '')
  // A moment to begin with and a span that ends now exclude each other.
  const within = since === '' ? {} : { within: '' }
  return { ...said, ...Object.fromEntries(usual), since, until, ...within }
}

/** The field has minutes: what nobody changed keeps its seconds. */
function keepMoment(typed: string, before: string): string {
  return typed === toWallTime(before) ? before : parseWallTime(typed)
}
