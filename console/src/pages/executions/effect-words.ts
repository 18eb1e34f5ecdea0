/** What an effect is about. */
import type { ExecutionView } from 'rubicon-agents/client'
import type { JsonObject } from 'rubicon-kernel'
import type { Namings } from '../../api/use-namings.ts'
import { describeDeed } from '../../parts/deed.ts'

/** Its parameters are the agent's words. */
export function describeEffect(
  namings: Namings,
  row: Pick<ExecutionView, 'policy_kind' | 'params'>,
): string {
  return describeDeed(namings, row.policy_kind, parseParams(row))
}

/** They came as JSON, and so they are. */
function parseParams({ params }: Pick<ExecutionView, 'params'>): JsonObject {
  return params as JsonObject
}
