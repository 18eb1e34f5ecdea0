import type { ReactNode } from 'react'
import './claims.css'

/** What an agent says. Apart from facts, hatched and indented, never beside a button. */
export function Claims({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <section className="claims" aria-label="the agent says">
      <h3 className="claims-head">the agent says</h3>
      {children}
    </section>
  )
}
