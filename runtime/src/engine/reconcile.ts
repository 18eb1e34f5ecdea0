/**
 * Finds out what became of effects whose answer was lost, and carries on where that is safe.
 *
 * The kernel says what to try; this file tries it. Nothing is sent again without a `dispatch` entry
 * of its own, under authority that still stands, with the same key and the same bytes.
 */
import {
  backoffMs,
  type CapabilityDescription,
  canonicalText,
  formatInstant,
  type JsonValue,
  judgeProbe,
  LIMITS,
  parseInstant,
  type RedispatchPayload,
  type Resolution,
  resolveUncertain,
  type SignedIntent,
  shorten,
  type Uncertain,
  unreachable,
} from 'rubicon-kernel'
import type { ProbeAnswer, RegisteredCapability } from '../ports/capability.ts'
import type { ExecutionRow, Guard } from '../ports/store.ts'
import type { Context } from './context.ts'
import { type Dispatched, parseIntent } from './dispatch.ts'
import { effectIo, judgeAnswer, messageOf, performEffect } from './effect.ts'
import { bearerOf, earliestEnd, endedAuthority } from './ended-authority.ts'
import { handsOf } from './hands-of.ts'
import { mintSalt } from './identity.ts'
import { standingChoice } from './saga/standing-choice.ts'
import { evidenceWrite, settle } from './settle.ts'
import { writChain } from './writ-chain.ts'

const PROBE_DEADLINE_MS = 10_000

/** Looks at every uncertain effect that is due. Returns how many were touched. */
export async function reconcileDue(context: Context): Promise<number> {
  const rows = await context.store.executions({
    status: ['UNKNOWN', 'NOT_APPLIED'],
    limit: LIMITS.entriesPerPage,
  })
  context.sends.look(rows)
  const now = context.clock.now()
  const due = rows.filter(({ next_at }) => next_at === null || isDue(next_at, now))
  for (const row of due) {
    if (context.inFlight.effect(row.dfid, row.step_id) !== undefined) continue
    await context.inFlight.track(row.dfid, row.step_id, reconcile(context, row))
  }
  return due.length
}

/** Nothing waits longer than that: a clock that says so was set back. */
const LONGEST_WAIT_MS = LIMITS.backoffMaxMs + LIMITS.clockSkewMs

function isDue(nextAt: string, now: number): boolean {
  const wait = (parseInstant(nextAt) ?? 0) - now
  return wait <= 0 || wait > LONGEST_WAIT_MS
}

async function reconcile(context: Context, execution: ExecutionRow): Promise<ExecutionRow> {
  const flow = await context.store.flow(execution.dfid)
  if (flow === null) throw new Error(`execution without its flow: ${execution.dfid}`)
  const intent = parseIntent(execution.intent)
  const dispatched: Dispatched = { intent, execution, flow }
  const capability = handsOf(context, intent)
  // Other code than the kernel approved must neither ask nor send on its behalf.
  if (capability === undefined || capability.law.hash !== intent.capability_hash)
    return settle(context, dispatched, {
      kind: 'manual',
      details: { detail: 'the capability that sent it is not registered any more' },
    })
  const began = context.clock.monotonic()
  const { description } = capability.law
  const resolution: Resolution = resolveUncertain(description, uncertain(context, execution))
  switch (resolution.kind) {
    case 'probe':
      return probe(context, dispatched, capability)
    case 'resend':
      return resend(context, dispatched, resolution.why, began)
    case 'give_up':
      return resolution.status === 'FAILED'
        ? settle(context, dispatched, {
            kind: 'failed',
            code: 'EFFECT_FAILED',
            transient: false,
            details: { detail: 'it was sent as often as allowed' },
          })
        : settle(context, dispatched, {
            kind: 'manual',
            details: { detail: 'no probe or resend can settle it safely' },
          })
    default:
      return unreachable(resolution)
  }
}

/** Ages are the cautious ones: the first send as old, the last one as young as it can be. */
function uncertain({ clock, sends }: Context, row: ExecutionRow): Uncertain {
  const nowMs = clock.now()
  return {
    status: row.status === 'NOT_APPLIED' ? 'NOT_APPLIED' : 'UNKNOWN',
    firstSentMs: nowMs - sends.sinceFirst(row),
    lastSentMs: nowMs - sends.sinceLast(row),
    nowMs,
    sends: row.sends,
    probes: row.probes,
  }
}

async function probe(
  context: Context,
  dispatched: Dispatched,
  capability: RegisteredCapability,
): Promise<ExecutionRow> {
  const { intent, execution } = dispatched
  // As of the question: what arrives while the answer is on its way was not looked at.
  const asked = uncertain(context, execution)
  await context.failpoints.reach('reconcile.before_probe')
  const answer = await askProbe(context, capability, intent, execution.sends)
  await context.failpoints.reach('reconcile.after_probe')
  const description: CapabilityDescription = capability.law.description
  const judged = judgeProbe(description, asked, answer.finding)
  const evidence = {
    source: 'probe',
    finding: answer.finding,
    details: { detail: shorten(answer.detail ?? '', LIMITS.wordsLength) },
  } as const
  if (judged === 'UNKNOWN') return probeLater(context, dispatched, evidence)
  if (judged === 'NOT_APPLIED')
    return settle(context, dispatched, {
      kind: 'failed',
      code: 'EFFECT_FAILED',
      transient: true,
      details: { detail: 'a probe found it absent' },
      evidence,
    })
  const settlement = judgeAnswer(
    intent,
    answer.effect ?? {},
    capability.hands.postcondition,
    answer.effect === undefined ? null : capability.checkResult,
  )
  // A probe that cannot be understood has found nothing; asking it counts, or it would be for ever.
  if (settlement.kind === 'unknown')
    return probeLater(context, dispatched, {
      source: 'probe',
      finding: 'inconclusive',
      details: settlement.details,
    })
  return settle(
    context,
    dispatched,
    settlement.kind === 'applied' ? { ...settlement, by: 'probe', evidence } : settlement,
  )
}

async function askProbe(
  context: Context,
  { hands }: RegisteredCapability,
  intent: SignedIntent,
  sends: number,
): Promise<ProbeAnswer> {
  const deadline = effectIo(context, intent, sends, PROBE_DEADLINE_MS)
  try {
    const asked = Promise.resolve(hands.probe?.ask(intent, deadline.io))
    const answer = await Promise.race([asked, deadline.passed])
    if (answer === 'timeout' || answer === undefined)
      return { finding: 'inconclusive', detail: 'the probe did not answer in time' }
    return answer
  } catch (error) {
    return { finding: 'inconclusive', detail: messageOf(error) }
  } finally {
    deadline.cancel()
  }
}

/** Records what the probe found and comes back later. */
async function probeLater(
  context: Context,
  { intent, execution }: Dispatched,
  evidence: Parameters<typeof evidenceWrite>[2],
): Promise<ExecutionRow> {
  const probes = execution.probes + 1
  const after: ExecutionRow = {
    ...execution,
    version: execution.version + 1,
    probes,
    next_at: formatInstant(context.clock.now() + backoffMs(probes + 1)),
  }
  const outcome = await context.store.commit({
    guards: [versionGuard(execution)],
    writes: [evidenceWrite(context, intent, evidence), { kind: 'put_execution', execution: after }],
  })
  return outcome.ok ? after : execution
}

function versionGuard({ dfid, step_id, version }: ExecutionRow): Guard {
  return { kind: 'execution_version', dfid, step_id, version }
}

/** Sends the same bytes under the same key again, if authority for it still stands. */
async function resend(
  context: Context,
  dispatched: Dispatched,
  why: RedispatchPayload['why'],
  startedMonotonic: number,
): Promise<ExecutionRow> {
  const { intent, execution, flow } = dispatched
  const authority = await context.authorities.latest()
  const bearer = await bearerOf(context, intent, flow)
  const chain = await writChain(context, bearer, intent.writ_id)
  const { now } = await context.store.now(flow.trajectory)
  const choice = await standingChoice(context, intent)
  const ended =
    choice === null
      ? 'the choice to take it back does not stand any more'
      : endedAuthority(authority, bearer, chain, now)
  if (ended !== null)
    return why === 'not_applied'
      ? settle(context, dispatched, {
          kind: 'failed',
          code: 'EFFECT_FAILED',
          transient: false,
          details: { detail: ended },
        })
      : settle(context, dispatched, { kind: 'manual', details: { detail: ended } })

  const sent: ExecutionRow = {
    ...execution,
    version: execution.version + 1,
    status: 'DISPATCHED',
    sends: execution.sends + 1,
    last_sent_at: now,
    epoch: context.store.epoch,
    next_at: null,
  }
  const payload: RedispatchPayload = {
    salt: mintSalt(context),
    intent_id: intent.intent_id,
    first: execution.dispatched,
    send: sent.sends,
    why,
  }
  await context.failpoints.reach('resend.before_commit')
  const outcome = await context.store.commit({
    guards: [
      versionGuard(execution),
      { kind: 'engine_epoch', epoch: context.store.epoch },
      { kind: 'authority_seq', seq: authority.seq },
      { kind: 'before', at: earliestEnd(chain) },
      ...(choice ?? []),
    ],
    writes: [
      {
        kind: 'append',
        trajectory: flow.trajectory,
        entry: 'dispatch',
        dfid: flow.dfid,
        authority_seq: authority.seq,
        payload: canonicalText(payload as unknown as JsonValue),
      },
      { kind: 'put_execution', execution: sent },
    ],
  })
  if (!outcome.ok) return execution
  await context.failpoints.reach('resend.after_commit')
  return performEffect(
    context,
    { intent, execution: sent, flow },
    { startedMonotonic, earlierUnknown: why === 'same_key' },
  )
}
