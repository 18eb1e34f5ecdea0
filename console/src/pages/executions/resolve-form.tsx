/** A person says what became of an effect. */
import type { ReactNode } from 'react'
import type { ExecutionView } from 'rubicon-agents/client'
import { OutcomeForm } from '../../parts/outcome-form.tsx'

const OUTCOMES = [
  ['applied', 'It happened'],
  ['not_applied', 'It did not happen'],
  ['abandon', 'It cannot be found out; close it'],
] as const

export function ResolveForm({
  row,
  settled,
}: {
  readonly row: ExecutionView
  readonly settled: () => void
}): ReactNode {
  const params = { id: `${row.dfid}:${row.step_id}` }
  return (
    <OutcomeForm
      title="What happened?"
      outcomes={OUTCOMES}
      word="Record the outcome"
      ask={(client, body, key) => client.resolveExecution({ params, body, key })}
      settled={settled}
    />
  )
}
