import type { SignedIntent } from 'rubicon-kernel'
import type { ExecutionRow, FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { hasSucceeded, isEffect } from '../saga/effects.ts'
import { type AskedAbout, askAboutFailure } from './ask-flow.ts'
import { askPerson } from './ask-person.ts'

/** Whether a person is asked about the flow with this outcome; null: nobody is. */
export async function askAfterOutcome(
  context: Context,
  flow: FlowRow,
  intent: SignedIntent,
  execution: ExecutionRow,
  now: string,
): Promise<AskedAbout | null> {
  const { status, reason_code } = execution
  if (intent.policy_kind === 'ESCALATE')
    return status === 'SUCCESS' ? askPerson(context, flow, intent, now) : null
  const isFailure = status === 'FAILED' && reason_code === 'EFFECT_FAILED'
  if (!isFailure || intent.compensation !== undefined || flow.state !== 'EXECUTING') return null
  // What follows was fixed when it was accepted.
  if (intent.on_failure !== undefined) return null
  // Half a job is worse than a job that keeps failing: it has its own way to a person.
  if ((await isEffect(context, intent)) && (await hasSucceeded(context, flow))) return null
  return askAboutFailure(context, flow, execution, now)
}
