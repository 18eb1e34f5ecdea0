/** The entries that end a flow, but for approvals. */
import type { PayloadOf } from 'rubicon-kernel'

/** By a proposal that was refused, or by none: then it was cancelled. */
export function isEnd({ ended_flow, received, reason_code }: PayloadOf['rejection']): boolean {
  return ended_flow !== undefined || (received === '' && reason_code === 'FLOW_CANCELLED')
}

export function isClosure(payload: PayloadOf['evidence']): boolean {
  return 'finding' in payload && payload.source === 'agent' && payload.finding === 'closed'
}
