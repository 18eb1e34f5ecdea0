import type { ReactNode } from 'react'
import { AgentText } from './agent-text.tsx'
import { Value } from './value.tsx'
import './measured.css'
import { formatMeasured, toUnit } from './unit.ts'

/** An amount and its unit; what exactly is measured is told to whoever points at it. */
export function Measured({
  amount,
  measure,
}: {
  readonly amount: unknown
  readonly measure: string
}): ReactNode {
  return (
    <span className="measured" title={measure}>
      <Value value={typeof amount === 'string' ? formatMeasured(amount, measure) : amount} />{' '}
      <span className="measured-unit quiet small">
        <AgentText text={toUnit(measure)} />
      </span>
    </span>
  )
}
