import type { ReactNode } from 'react'
import { AgentText } from '../../parts/agent-text.tsx'
import { Amount } from '../../parts/value.tsx'
import type { FactMove } from './moved-facts.ts'

/** Facts moved while somebody was reading: which, from where, to where. */
export function MovedNote({ moves }: { readonly moves: readonly FactMove[] }): ReactNode {
  return (
    <div className="request-moved" role="alert">
      <strong>⚠ Facts have changed since you opened this.</strong>
      <ul>
        {moves.map(({ name, from, to }) => (
          <li key={name}>
            <span className="mono">
              <AgentText text={name} />
            </span>{' '}
            <Amount value={from} /> → <Amount value={to} />
          </li>
        ))}
      </ul>
    </div>
  )
}
