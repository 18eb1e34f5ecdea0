import { type ReactNode, useId } from 'react'
import { EntryLink } from './entry-link.tsx'
import type { FlowEntry } from './story-parts.ts'

/** A question, its answer, and the way to the raw entry. */
export function AccountBlock({
  number,
  title,
  entry,
  linked,
  children,
}: {
  readonly number: number
  readonly title: string
  /** Null: there is none, or several, which stand in the answer. */
  readonly entry: FlowEntry | null
  readonly linked: boolean
  readonly children: ReactNode
}): ReactNode {
  const id = useId()
  return (
    <section className="account-block" aria-labelledby={id}>
      <header className="account-head">
        <h3 id={id}>
          <span className="account-number" aria-hidden="true">
            {number}
          </span>{' '}
          {title}
        </h3>
        {entry === null ? null : <EntryLink entry={entry} linked={linked} />}
      </header>
      <div className="account-body">{children}</div>
    </section>
  )
}
