/**
 * Above a list: words to search for, a span of time, everything else in a form that opens below, and what the list is
 * narrowed to as chips. All of it stands in the address; nothing is asked here.
 */
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import X from 'lucide-react/icons/x'
import { type ReactNode, useId, useState } from 'react'
import { formatAbsolute } from '../../time/clock.ts'
import { useTime } from '../../time/time.tsx'
import { changeQuery, usePlace } from '../../url/location.ts'
import { toVisibleText } from '../visible-text.ts'
import { type FilterChip, listFilterChips } from './filter-chips.ts'
import { FilterForm, type FilterFormProps } from './filter-form.tsx'
import { parseListFilter } from './list-filter.ts'
import type { ListPage } from './saved-views.ts'
import { TIME_RANGES } from './time-ranges.ts'
import { ViewsMenu } from './views-menu.tsx'
import { WordsField } from './words-field.tsx'
import './filter-bar.css'

export type FilterBarProps = {
  readonly page: ListPage
  /** What the words are searched in. */
  readonly label: string
  /** Chips of what the page alone has. */
  readonly also?: readonly FilterChip[]
  /** A member that cannot be asked together with a filter: to set one takes it away. */
  readonly alone?: string
  /** In place of the member `words`: what the page makes of a text. */
  readonly search?: { readonly text: string; readonly change: (text: string) => void }
} & Pick<FilterFormProps, 'lacks' | 'choices' | 'kinds' | 'measures'>

export function FilterBar(props: FilterBarProps): ReactNode {
  const { page, label, also = [], alone, search, choices = [], lacks, kinds, measures } = props
  const [open, setOpen] = useState(false)
  const id = useId()
  const { query } = usePlace()
  const { utc } = useTime()
  const change = (members: Readonly<Record<string, string>>): void =>
    changeQuery(alone === undefined ? members : { ...members, [alone]: '' })
  const chips = [
    ...listFilterChips(parseListFilter(query), (instant) => formatAbsolute(instant, utc)),
    ...choices.flatMap(({ name, label: head, options }) => {
      const chosen = options.slice(1).find(({ value }) => value === query.get(name))
      return chosen === undefined ? [] : [{ names: [name], label: head, value: chosen.label }]
    }),
    ...also,
  ]
  return (
    <search className="filter-bar" aria-label={`filter of ${page}`}>
      <div className="filter-line">
        <WordsField
          label={label}
          text={search?.text ?? query.get('words') ?? ''}
          change={search?.change ?? ((text) => change({ words: text }))}
        />
        <TimeChoice change={change} openForm={() => setOpen(true)} />
        <button
          type="button"
          aria-expanded={open}
          {...(open ? { 'aria-controls': id } : {})}
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal className="icon" aria-hidden="true" />
          <span className="filter-button-word">Filter</span>
        </button>
        <ViewsMenu page={page} />
      </div>
      {open ? (
        <FilterForm
          key={query.toString()}
          id={id}
          {...{ lacks, choices, kinds, measures }}
          change={change}
          close={() => setOpen(false)}
        />
      ) : null}
      <Chips chips={chips} />
    </search>
  )
}

function TimeChoice({
  change,
  openForm,
}: {
  readonly change: (members: Readonly<Record<string, string>>) => void
  readonly openForm: () => void
}): ReactNode {
  const { query } = usePlace()
  const isOwn = query.has('since') || query.has('until')
  const within = query.get('within') ?? ''
  const choose = (value: string): void => {
    if (value === 'own') openForm()
    else change({ within: value, since: '', until: '' })
  }
  return (
    <label>
      <span className="unseen">time</span>
      <select
        value={isOwn && within === '' ? 'own' : within}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">Any time</option>
        {TIME_RANGES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        <option value="own">From … until …</option>
      </select>
    </label>
  )
}

function Chips({ chips }: { readonly chips: readonly FilterChip[] }): ReactNode {
  if (chips.length === 0) return null
  const drop = (names: readonly string[]): void =>
    changeQuery(Object.fromEntries(names.map((name) => [name, ''])))
  return (
    <ul className="filter-chips" aria-label="filters that are set">
      {chips.map(({ names, label, value }) => (
        <li key={label} className="filter-chip">
          <span className="quiet">{label}</span> <span>{toVisibleText(value)}</span>
          <button
            type="button"
            className="filter-drop"
            aria-label={`remove the filter ${label}`}
            onClick={() => drop(names)}
          >
            <X className="icon" aria-hidden="true" />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="plain small"
          onClick={() => drop(chips.flatMap(({ names }) => names))}
        >
          Clear all
        </button>
      </li>
    </ul>
  )
}
