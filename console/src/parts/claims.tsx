import type { ReactNode } from 'react'
import './claims.css'

/** What an agent says. Apart from facts, hatched and indented, never beside a button. */
export function Claims({
  about,
  children,
}: {
  /** Tells several on a page apart. */
  readonly about?: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <section
      className="claims"
      aria-label={about === undefined ? 'the agent says' : `the agent says, ${about}`}
    >
      <h3 className="claims-head">the agent says</h3>
      {children}
    </section>
  )
}
