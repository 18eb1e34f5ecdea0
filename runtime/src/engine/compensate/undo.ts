/**
 * Takes one effect back: an intent of its own, under the authority of the COMPENSATE that chose so,
 * dispatched and settled like any other. The decision that it stands on is written into its
 * dispatch once more, so that the flow tells its whole story by itself.
 */
import {
  assert,
  buildUndoIntent,
  findUndoRefusal,
  formatInstant,
  type JsonValue,
  LIMITS,
  parseInstant,
  toCanonicalText,
} from 'rubicon-kernel'
import type { ExecutionRow, Unit } from '../../ports/store.ts'
import { loadDelegatedWrits } from '../authority/delegation.ts'
import { explainEndedAuthority, findEarliestEnd } from '../authority/ended-authority.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import { buildWorldGuards, readCapabilityWorld } from '../context/read-outside.ts'
import { bindPlacement, buildExecution, signIntent } from '../effect/dispatch.ts'
import { performEffect } from '../effect/effect.ts'
import { findHands } from '../effect/hands-of.ts'
import { takeLocks } from '../effect/locks.ts'
import type { Context } from '../engine-context.ts'
import { composeCanonicalObject } from '../rows/canonical-object.ts'
import { stopIfDeclaredDead } from '../rows/declared-dead.ts'
import { mintSalt } from '../rows/identity.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { type ChosenDecision, readChosenDecision } from '../saga/chosen-decision.ts'
import { buildUntouchedDirtyGuard, type DirtyFlow } from '../saga/dirty-record.ts'
import type { Undoable } from '../saga/load-saga.ts'
import { buildUnsettledGuard } from '../saga/settled-effect.ts'

/** Why a choice is not carried out any further. */
type Stopped = { readonly cannot: string }

/** `waits`: something that it needs is held. */
export async function undoEffect(
  context: Context,
  record: DirtyFlow,
  step: Undoable,
): Promise<'moved' | 'waits' | Stopped> {
  const { store, authorities, failpoints, inFlight, clock } = context
  const started = clock.monotonic()
  const { chosen } = record.body
  const decision =
    chosen === null
      ? null
      : await readChosenDecision(store, { dfid: chosen.dfid, chosen: chosen.intent_id })
  const chooser = decision === null ? null : await store.readFlow(decision.intent.dfid)
  if (decision === null || chooser === null) return ENDED
  const confined = findUndoProblem(context, step, decision)
  if (confined !== null) return confined
  const chain = await loadWritChain(context, chooser, decision.intent.writ_id)
  const authority = await authorities.loadLatest()
  const { now } = await store.readNow(step.flow.trajectory)
  const delegated = await loadDelegatedWrits(context, chooser, chain)
  if (explainEndedAuthority(authority, chooser, chain, now, delegated) !== null) return ENDED

  const prepared = await buildUndoUnit(context, record, step, decision, {
    seq: authority.seq,
    now,
    until: findEarliestEnd(chain),
  })
  await failpoints.reach('compensate.before_dispatch')
  context.damage.assertNone()
  const over = inFlight.hand(prepared.step)
  try {
    const outcome = await store.commit(prepared.unit)
    if (!outcome.ok) {
      stopIfDeclaredDead(outcome)
      return outcome.failed.kind === 'lock_free' ? 'waits' : 'moved'
    }
    await failpoints.reach('compensate.after_dispatch')
    const sent = prepared.placed(outcome)
    const { dfid, step_id } = sent.execution
    await inFlight.track(dfid, step_id, performEffect(context, sent, { startedMonotonic: started }))
    return 'moved'
  } finally {
    over()
  }
}

const ENDED: Stopped = { cannot: 'AUTHORITY_REVOKED' }

/** What leaves World is not taken back in a branch, and from a branch nothing is taken back elsewhere. */
function findUndoProblem(
  { book }: Context,
  { row, flow }: Undoable,
  { intent: chosen }: ChosenDecision,
): Stopped | null {
  const law = book.capability(row.policy_kind)?.law
  // Without its code nothing is sent: that is found where it would be.
  if (law === undefined) return null
  const refusal = findUndoRefusal(chosen.trajectory, flow.trajectory, law.description)
  return refusal === null ? null : { cannot: refusal.code }
}

type Moment = { readonly seq: number; readonly now: string; readonly until: string }

async function buildUndoUnit(
  context: Context,
  record: DirtyFlow,
  { row, flow }: Undoable,
  decision: ChosenDecision,
  { seq, now, until }: Moment,
): Promise<{
  readonly step: Pick<ExecutionRow, 'dfid' | 'step_id'>
  readonly unit: Unit
  placed: ReturnType<typeof bindPlacement>
}> {
  const within = formatInstant((parseInstant(now) ?? 0) + LIMITS.dispatchWithinMs)
  const { action } = record.body
  assert(action !== null, 'a choice was made before anything is undone')
  const { intent, text: intent_text } = buildUndoIntent(
    {
      of: parseIntent(row.intent),
      chosen: decision.intent,
      action,
      staged_at: now,
      dispatch_before: within < until ? within : until,
    },
    context.sha256,
  )
  const signed = await signIntent(context, { intent, intent_text })
  const execution = buildExecution(context, intent, signed.text, now, 'DISPATCHED')
  const law = findHands(context, signed.intent)?.law
  const world = law === undefined ? [] : await readCapabilityWorld(context, law, intent)
  const locks = takeLocks(intent, now, null)
  const { trajectory, dfid } = flow
  const unit: Unit = {
    guards: [
      { kind: 'engine_epoch', epoch: context.store.epoch },
      { kind: 'authority_seq', seq },
      { kind: 'before', at: intent.dispatch_before },
      { kind: 'claim_absent', dfid, step_id: intent.step_id },
      buildUntouchedDirtyGuard(record.key, record),
      buildUnsettledGuard(dfid, row.step_id),
      ...locks.guards,
      ...buildWorldGuards(intent, world),
    ],
    writes: [
      {
        kind: 'append',
        trajectory,
        entry: 'dispatch',
        dfid,
        authority_seq: seq,
        payload: dispatchText(context, decision, signed.text, now),
      },
      { kind: 'put_execution', execution, entry: 0 },
      ...locks.writes,
    ],
  }
  const placed = bindPlacement({ intent: signed.intent, flow, execution, world })
  return { step: execution, unit, placed }
}

function dispatchText(
  context: Context,
  { attempt, received, proposal, facts, facts_hash, trace }: ChosenDecision,
  intent: string,
  at: string,
): string {
  const text = (value: unknown): string => toCanonicalText(value as JsonValue)
  return composeCanonicalObject({
    salt: text(mintSalt(context)),
    attempt: text(attempt),
    received: text(received),
    proposal: text(proposal),
    facts: text(facts),
    facts_hash: text(facts_hash),
    trace: text(trace),
    intent,
    send: '1',
    jit: text({ at, state: [], world: [] }),
  })
}
