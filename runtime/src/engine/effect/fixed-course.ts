/**
 * What a flow that has become dirty does by itself where the intent that failed says so. The choice was made when the
 * intent was accepted, and stands in it under the kernel's signature: nobody is asked, and the agent least of all.
 */
import { ALERT_HUMAN, type JsonObject, REVERT, type SignedIntent } from 'rubicon-kernel'
import type { RecordBodies } from '../../ports/record.ts'
import type { FlowRow, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildSagaEntry } from '../saga/saga-entry.ts'

type Course = Pick<RecordBodies['dirty_flow'], 'standing' | 'action' | 'chosen'>

export type FixedCourse = { readonly record: Course; readonly writes: readonly Write[] }

/** Null: somebody has to choose. */
export function buildFixedCourse(
  context: Context,
  flow: FlowRow,
  { on_failure, dfid, step_id, intent_id }: SignedIntent,
): FixedCourse | null {
  // What a flow below has fixed for itself is not the choice of the one above it.
  if (on_failure === undefined || dfid !== flow.dfid) return null
  const chosen = { dfid, step_id, intent_id }
  const isReverted = on_failure === 'REVERT_STATE'
  const action = isReverted ? REVERT : ALERT_HUMAN
  const details: JsonObject = { action, on_failure, ...chosen }
  const status = isReverted ? 'COMPENSATING' : 'MANUAL_REVIEW'
  return {
    record: { standing: isReverted ? 'compensating' : 'with_person', action, chosen },
    writes: [buildSagaEntry(context, flow, status, details)],
  }
}
