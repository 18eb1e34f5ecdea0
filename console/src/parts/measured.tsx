import type { ReactNode } from 'react'
import { AgentText } from './agent-text.tsx'
import './measured.css'
import { formatMeasured, toUnit } from './unit.ts'

/** An amount and its unit; what exactly is measured is told to whoever points at it. */
export function Measured({
  amount,
  measure,
}: {
  readonly amount: string
  readonly measure: string
}): ReactNode {
  return (
    <span className="measured" title={measure}>
      <span className="mono">
        <AgentText text={formatMeasured(amount, measure)} />
      </span>{' '}
      <span className="measured-unit quiet small">
        <AgentText text={toUnit(measure)} />
      </span>
    </span>
  )
}
