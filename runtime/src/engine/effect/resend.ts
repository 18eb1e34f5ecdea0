/**
 * Sends the same bytes under the same key again, where that would be allowed now.
 *
 * S1 nothing is sent again that was not judged anew: time, keys, authority, budget, the state of
 *    things, maintenance, rules, a HALT of its event. What it reserved and holds itself does not count against it.
 * S2 what was judged becomes durable, signed by the kernel, before anything leaves: `resend`.
 * S3 what may not be sent again goes to a person where nobody knows what became of it, and is over,
 *    with all that it held, where it is known that nothing did.
 */
import {
  type CapabilityLaw,
  computeAddressOfText,
  computeKeyEndMs,
  dispatchDeadline,
  findUndoRefusal,
  formatInstant,
  isReserved,
  LIMITS,
  parseInstant,
  type Refusal,
  type ResendBody,
  toCanonicalText,
  type WorldFact,
} from 'rubicon-kernel'
import type { RegisteredCapability } from '../../ports/capability.ts'
import type { ExecutionRow, Guard } from '../../ports/store.ts'
import { buildWorldGuards, readCapabilityWorld } from '../context/read-outside.ts'
import type { Context } from '../engine-context.ts'
import { readEventGuards } from '../flow/event-standing.ts'
import {
  type JudgedAgain,
  judgeAgain,
  judgeUndoAgain,
  loadHeld,
  toGuardRefusal,
} from '../judge/judge-again.ts'
import { composeCanonicalObject } from '../rows/canonical-object.ts'
import { stopIfDeclaredDead } from '../rows/declared-dead.ts'
import type { Dispatched } from '../rows/dispatched.ts'
import { hasEnded } from '../rows/ended-flow.ts'
import { mintSalt } from '../rows/identity.ts'
import { signText } from '../rows/sign.ts'
import { findChoiceGuards } from '../saga/standing-choice.ts'
import { buildDispatchGuards, buildJitReport } from './dispatch.ts'
import { performEffect } from './effect.ts'
import { buildHeldGuards, takeLocks } from './locks.ts'
import { buildExecutionGuard, waitUntil } from './probe.ts'
import { settle } from './settle.ts'

type Why = ResendBody['why']

/** Judged anew, and what must still hold of that when it becomes durable. */
type Allowed = JudgedAgain & {
  readonly sendBefore: string
  readonly guards: readonly Guard[]
  readonly world: readonly WorldFact[]
}

export async function resend(
  context: Context,
  dispatched: Dispatched,
  { law }: RegisteredCapability,
  why: Why,
  startedMonotonic: number,
): Promise<ExecutionRow> {
  const { intent, execution, flow } = dispatched
  const keyEnd = computeKeyEndMs(law.description, parseInstant(execution.dispatched_at) ?? 0)
  const judged =
    intent.compensation === undefined
      ? await judgeResend(context, dispatched, keyEnd)
      : await judgeUndoResend(context, dispatched, keyEnd, law)
  // Somebody else may send it; meanwhile it is not due here.
  if (judged === 'foreign')
    return waitUntil(context, execution, context.clock.now() + LIMITS.backoffMaxMs)
  if (!('gathered' in judged)) return refuse(context, dispatched, why, judged)
  const { gathered, sendBefore } = judged
  const sent: ExecutionRow = {
    ...execution,
    version: execution.version + 1,
    status: 'DISPATCHED',
    sends: execution.sends + 1,
    last_sent_at: gathered.view.now,
    epoch: context.store.epoch,
    next_at: null,
  }
  const payload = await resendText(context, dispatched, sent, why, judged)
  await context.failpoints.reach('resend.before_commit')
  context.damage.assertNone()
  const outcome = await context.store.commit({
    guards: [buildExecutionGuard(execution), ...judged.guards],
    writes: [
      {
        kind: 'append',
        trajectory: flow.trajectory,
        entry: 'resend',
        dfid: flow.dfid,
        authority_seq: gathered.authority.seq,
        payload,
      },
      { kind: 'put_execution', execution: sent },
    ],
  })
  if (!outcome.ok) {
    stopIfDeclaredDead(outcome)
    const lost = toGuardRefusal(outcome, sendBefore)
    return lost === null ? execution : refuse(context, dispatched, why, lost)
  }
  await context.failpoints.reach('resend.after_commit')
  return performEffect(
    context,
    { intent, execution: sent, flow, world: judged.world },
    { startedMonotonic, sendBefore, earlierUnknown: why === 'same_key' },
  )
}

async function judgeResend(
  context: Context,
  { intent, execution }: Dispatched,
  keyEnd: number | null,
): Promise<Allowed | Refusal | 'foreign'> {
  const view = await loadHeld(context, intent)
  if (view === null || hasEnded(view.flow))
    return { code: 'FLOW_NOT_OPEN', details: { state: view?.flow.state ?? null } }
  // Reserved kinds change nothing outside, and a HALT is itself one of them.
  const isStoppable = !isReserved(intent.policy_kind)
  const unhalted = isStoppable ? await readEventGuards(context, view.flow) : []
  if ('code' in unhalted) return unhalted
  const judged = await judgeAgain(context, view, intent, execution)
  if (judged === 'foreign' || !('gathered' in judged)) return judged
  const { gathered, checked } = judged
  const sendBefore = pickEarliest(dispatchDeadline(gathered.input), keyEnd)
  const guards = [
    ...buildDispatchGuards(context, gathered, intent, sendBefore),
    ...buildHeldGuards(intent),
    ...unhalted,
    // What there is of a resource may have become less since it was taken.
    ...takeLocks({ ...intent, resources: checked.resources }, view.now, null).guards,
  ]
  return { ...judged, sendBefore, guards, world: gathered.input.facts.value.world }
}

/** What takes back stands on a choice, and goes on while the agent is in maintenance. */
async function judgeUndoResend(
  context: Context,
  { intent }: Dispatched,
  keyEnd: number | null,
  law: CapabilityLaw,
): Promise<Allowed | Refusal> {
  const choice = await findChoiceGuards(context, intent)
  if (choice === null)
    return { code: 'FLOW_NOT_DIRTY', details: { chosen: intent.compensation?.chosen ?? null } }
  const judged = await judgeUndoAgain(context, intent)
  if (!('gathered' in judged)) return judged
  const { gathered } = judged
  const { trajectory: chooser } = gathered.view.flow
  const confined = findUndoRefusal(chooser, intent.trajectory, law.description)
  if (confined !== null) return confined
  const world = await readCapabilityWorld(context, law, intent)
  const sendBefore = pickEarliest(dispatchDeadline(gathered.input), keyEnd)
  const guards: readonly Guard[] = [
    { kind: 'engine_epoch', epoch: context.store.epoch },
    { kind: 'authority_seq', seq: gathered.authority.seq },
    { kind: 'before', at: sendBefore },
    ...buildHeldGuards(intent),
    ...choice,
    ...buildWorldGuards(intent, world),
  ]
  return { ...judged, sendBefore, guards, world }
}

function pickEarliest(deadline: string, endMs: number | null): string {
  if (endMs === null) return deadline
  const end = formatInstant(Math.max(0, endMs))
  return end < deadline ? end : deadline
}

async function resendText(
  context: Context,
  { intent, execution }: Dispatched,
  { sends }: ExecutionRow,
  why: Why,
  { gathered, checked, sendBefore }: Allowed,
): Promise<string> {
  const { facts, rules } = gathered.input
  const body: ResendBody = {
    intent_id: intent.intent_id,
    first: execution.dispatched,
    send: sends,
    why,
    facts_hash: facts.address,
    policy_trace_hash: computeAddressOfText('trace', checked.trace_text, rules.sha256),
    jit: buildJitReport(gathered),
    send_before: sendBefore,
  }
  const text = toCanonicalText(body)
  const signature = await signText(context, 'kernel', 'resend', text)
  return composeCanonicalObject({
    salt: toCanonicalText(mintSalt(context)),
    body: text,
    facts: facts.text,
    trace: checked.trace_text,
    signature: toCanonicalText(signature),
  })
}

/** Nothing happened so far, or nobody knows: the first gives back what it held, the second asks. */
function refuse(
  context: Context,
  dispatched: Dispatched,
  why: Why,
  { code, details }: Refusal,
): Promise<ExecutionRow> {
  const said = { detail: 'it may not be sent again', refused: code, because: details }
  return settle(
    context,
    dispatched,
    why === 'not_applied'
      ? { kind: 'failed', code: 'EFFECT_FAILED', transient: false, details: said }
      : { kind: 'manual', details: said },
  )
}
