/** A few fields and one question to the server, over the page. What was typed stays until it said yes. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Client, ClientAnswer } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { useDeed } from '../../api/use-deed.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import '../../parts/field-form.css'

export type AskedField = {
  readonly name: string
  readonly label: string
  readonly placeholder?: string
  readonly options?: readonly string[]
  /** It may be left empty. */
  readonly optional?: true
  readonly value?: string
}

export type FieldDialogProps<T> = {
  readonly word: string
  readonly explains?: string
  readonly fields: readonly AskedField[]
  readonly ask: (
    client: Client,
    values: Readonly<Record<string, string>>,
    key: string,
  ) => Promise<ClientAnswer<T>>
  readonly done: (body: T) => void
  /** It is the first thing to do on its page. */
  readonly hasMain?: true
}

export function FieldDialog<T>(props: FieldDialogProps<T>): ReactNode {
  const { word, hasMain, done } = props
  const [open, setOpen] = useState(false)
  const handleDone = (body: T): void => {
    setOpen(false)
    done(body)
  }
  return (
    <>
      <button
        type="button"
        {...(hasMain === undefined ? {} : { className: 'main' })}
        onClick={() => setOpen(true)}
      >
        {word}…
      </button>
      <Dialog title={word} open={open} close={() => setOpen(false)}>
        <FieldForm {...props} done={handleDone} />
      </Dialog>
    </>
  )
}

function FieldForm<T>({ word, explains, fields, ask, done }: FieldDialogProps<T>): ReactNode {
  const { busy, problem, perform } = useDeed()
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(
      fields.map(({ name, value = '', options }) => [name, options?.[0] ?? value]),
    ),
  )
  const isReady = fields.every(
    ({ name, optional }) => optional === true || !isBlank(values[name] ?? ''),
  )
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isReady) return
    const body = await perform((client, key) => ask(client, values, key))
    if (body !== null) done(body)
  }
  return (
    <form className="stack field-form" onSubmit={send}>
      {explains === undefined ? null : <p>{explains}</p>}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          change={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      {problem === null ? null : <Failed problem={problem} />}
      <p>
        <button type="submit" className="main" disabled={!isReady || busy}>
          {busy ? 'Sending…' : word}
        </button>
      </p>
    </form>
  )
}

function FieldInput({
  field: { label, options, placeholder },
  value,
  change,
}: {
  readonly field: AskedField
  readonly value: string
  readonly change: (value: string) => void
}): ReactNode {
  if (options === undefined)
    return (
      <label>
        {label}
        <input
          value={value}
          placeholder={placeholder}
          autoComplete="off"
          onChange={(event) => change(event.target.value)}
        />
      </label>
    )
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => change(event.target.value)}>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  )
}
