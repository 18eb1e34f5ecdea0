/**
 * A person settles an effect under review, which the runtime cannot. The word of a person is evidence:
 * it stands in the ledger with the name and the reason.
 */
import {
  assertUnreachable,
  checkJson,
  type Delta,
  err,
  type Failure,
  isObject,
  ok,
  parseDelta,
  type Result,
  type SignedIntent,
} from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import { findHands } from '../effect/hands-of.ts'
import { askProbe } from '../effect/probe.ts'
import { settle } from '../effect/settle.ts'
import type { Settlement } from '../effect/settlement.ts'
import { findUndone, readInverse } from '../effect/undo-hands.ts'
import type { Context } from '../engine-context.ts'
import { loadExecution } from '../rows/all-executions.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import {
  buildResolutionFailure,
  checkResolution,
  type Resolution,
  toResolutionDetails,
} from '../saga/resolution.ts'

const STATUS: Readonly<Record<Resolution['outcome'], ExecutionRow['status']>> = {
  applied: 'SUCCESS',
  not_applied: 'FAILED',
  abandon: 'ABANDONED',
}

export async function resolveExecution(
  context: Context,
  dfid: string,
  stepId: string,
  resolution: Resolution,
): Promise<Result<ExecutionRow, Failure>> {
  const problem = checkResolution(resolution)
  if (problem !== null) return err(problem)
  const execution = await loadExecution(context.store, dfid, stepId)
  const flow = await context.store.readFlow(dfid)
  if (execution === null || flow === null) return err(buildUnknownStepFailure(dfid, stepId))
  if (execution.status !== 'MANUAL_REVIEW') return err(buildNotInReviewFailure(execution))
  const intent = parseIntent(execution.intent)
  const settlement = toSettlement(
    resolution,
    await loadUnsaidDelta(context, intent, execution.sends),
  )
  if (!settlement.ok) return settlement
  const settled = await settle(context, { intent, execution, flow }, settlement.value)
  if (settled.status === 'MANUAL_REVIEW') return err(buildDeltaConflictFailure(settled))
  // Somebody else was faster, and says otherwise.
  if (settled.status !== STATUS[resolution.outcome]) return err(buildNotInReviewFailure(settled))
  return ok(settled)
}

/**
 * What happened to World where nobody says: nothing; where an effect was taken back, what its probe works out,
 * and without one the inverse that its commit recorded. Null: nobody knows, and it has to be said.
 */
async function loadUnsaidDelta(
  context: Context,
  intent: SignedIntent,
  sends: number,
): Promise<Delta | null> {
  const { dfid, compensation } = intent
  if (compensation === undefined) return []
  const capability = findHands(context, intent, await findUndone(context, intent))
  // Hands that say by themselves what taking back changes do not change what the inverse would.
  if (capability?.hands.probe === undefined) return readInverse(context, dfid, compensation.of)
  if (capability.law.hash !== intent.capability_hash) return null
  const { finding, effect } = await askProbe(context, capability, intent, sends)
  return finding === 'applied' ? (effect?.delta ?? null) : null
}

const NOT_SAID =
  'nobody knows what it changed in the World: say it as `delta` of the effect; an empty one leaves the World as it is'

function toSettlement(resolution: Resolution, unsaid: Delta | null): Result<Settlement, Failure> {
  const { outcome, effect = {} } = resolution
  const details = toResolutionDetails(resolution)
  const toPersonEvidence = (finding: 'applied' | 'absent' | 'inconclusive') =>
    ({ source: 'person', finding, details }) as const
  switch (outcome) {
    case 'applied': {
      const read = checkJson({ ...effect })
      if (effect.delta === undefined && unsaid === null)
        return err(buildResolutionFailure(NOT_SAID))
      const delta = read.ok && isObject(read.value) ? parseDelta(read.value.delta ?? unsaid) : null
      if (delta?.ok !== true) return err(buildResolutionFailure('the effect cannot be read'))
      const known = { ...effect, delta: delta.value }
      return ok({
        kind: 'applied',
        effect: known,
        by: 'person',
        evidence: toPersonEvidence('applied'),
      })
    }
    case 'not_applied': {
      const failed = { kind: 'failed', code: 'EFFECT_FAILED', transient: false } as const
      return ok({ ...failed, details, evidence: toPersonEvidence('absent') })
    }
    case 'abandon':
      return ok({ kind: 'abandoned', details, evidence: toPersonEvidence('inconclusive') })
    default:
      return assertUnreachable(outcome)
  }
}

function buildUnknownStepFailure(dfid: string, stepId: string): Failure {
  return {
    code: 'EXECUTION_UNKNOWN',
    summary: `flow \`${dfid}\` has no step \`${stepId}\``,
    fix: 'see `rubicon executions list`',
  }
}

function buildNotInReviewFailure({ step_id, status }: ExecutionRow): Failure {
  return {
    code: 'EXECUTION_NOT_IN_REVIEW',
    summary: `step \`${step_id}\` is ${status}`,
    why: 'a person settles only what the runtime could not',
    fix: 'see `rubicon executions list --status MANUAL_REVIEW`',
  }
}

function buildDeltaConflictFailure({ step_id }: ExecutionRow): Failure {
  return {
    code: 'DELTA_CONFLICT',
    summary: `what \`${step_id}\` changed cannot be applied to the World any more`,
    fix: 'settle it with a delta that applies; an empty one leaves the World as it is',
  }
}
