/** What cannot simply be undone: what it means is said first, in words, and where it matters a name is typed. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Deed } from '../api/use-deed.ts'
import { Failed } from './outcomes.tsx'
import './field-form.css'

export type ConfirmFormProps = {
  readonly word: string
  /** What happens with the click, and what does not. */
  readonly means: readonly string[]
  /** To be typed before. */
  readonly name?: string | undefined
  /** The fields hold what they should. */
  readonly isFilled: boolean
  readonly deed: Pick<Deed, 'busy' | 'problem'>
  readonly send: () => Promise<void>
  /** Fields. */
  readonly children: ReactNode
}

export function ConfirmForm({
  word,
  means,
  name,
  isFilled,
  deed: { busy, problem },
  send,
  children,
}: ConfirmFormProps): ReactNode {
  const [typed, setTyped] = useState('')
  const isReady = isFilled && (name === undefined || typed === name)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isReady) void send()
  }
  return (
    <form className="stack field-form" onSubmit={submit}>
      <ul className="stack">
        {means.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {children}
      {name === undefined ? null : (
        <label>
          <span>
            Type <strong className="mono">{name}</strong> to confirm
          </span>
          <input value={typed} onChange={(event) => setTyped(event.target.value)} />
        </label>
      )}
      {problem === null ? null : <Failed problem={problem} />}
      <p>
        <button type="submit" className="danger" disabled={!isReady || busy}>
          {busy ? 'Sending…' : word}
        </button>
      </p>
    </form>
  )
}
