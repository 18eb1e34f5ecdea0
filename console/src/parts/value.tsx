import type { ReactNode } from 'react'
import { AgentText } from './agent-text.tsx'
import { formatAmount } from './amount.ts'

/** Any value, whole: what is cut off could be what matters. Whoever it comes from, it is shown as text. */
export function Value({ value }: { readonly value: unknown }): ReactNode {
  if (value === null || value === undefined) return <span className="quiet">nothing</span>
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return (
    <span className="mono">
      <AgentText text={text} />
    </span>
  )
}

/** A value that is an amount where it looks like one. */
export function Amount({ value }: { readonly value: unknown }): ReactNode {
  return <Value value={typeof value === 'string' ? formatAmount(value) : value} />
}
