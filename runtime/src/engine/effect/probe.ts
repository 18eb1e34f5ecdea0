/**
 * Asks a capability what became of an effect whose answer was lost. What it says is read like input, and
 * judged by the kernel; what was asked and found stands in the ledger.
 */
import {
  type CapabilityDescription,
  computeNextProbeMs,
  formatInstant,
  judgeProbe,
  LIMITS,
  type SignedIntent,
  shorten,
  type Uncertain,
} from 'rubicon-kernel'
import type { ProbeAnswer, RegisteredCapability } from '../../ports/capability.ts'
import type { ExecutionRow, Guard } from '../../ports/store.ts'
import { readCapabilityWorld } from '../context/read-outside.ts'
import type { Context } from '../engine-context.ts'
import { buildEvidenceWrite } from '../flow/outcome-entries.ts'
import type { Dispatched } from '../rows/dispatched.ts'
import { createEffectIo, judgeAnswer, toErrorMessage } from './effect.ts'
import { parseProbeAnswer } from './parse-effect.ts'
import { settle } from './settle.ts'

const PROBE_DEADLINE_MS = 10_000

/** Ages are the cautious ones: the first send as old, the last one as young as it can be. */
export function toUncertain({ clock, sends }: Context, row: ExecutionRow): Uncertain {
  const nowMs = clock.now()
  return {
    status: row.status === 'NOT_APPLIED' ? 'NOT_APPLIED' : 'UNKNOWN',
    firstSentMs: nowMs - sends.measureSinceFirst(row),
    lastSentMs: nowMs - sends.measureSinceLast(row),
    nowMs,
    sends: row.sends,
    probes: row.probes,
  }
}

export async function probe(
  context: Context,
  dispatched: Dispatched,
  capability: RegisteredCapability,
): Promise<ExecutionRow> {
  const { intent, execution } = dispatched
  // As of the question: what arrives while the answer is on its way was not looked at.
  const asked = toUncertain(context, execution)
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
  if (judged === 'UNKNOWN') return probeLater(context, dispatched, description, evidence)
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
    return probeLater(context, dispatched, description, {
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

/** Never rejects: what cannot be asked has found nothing. */
export async function askProbe(
  context: Context,
  { hands, law }: RegisteredCapability,
  intent: SignedIntent,
  sends: number,
): Promise<ProbeAnswer> {
  const world = await readCapabilityWorld(context, law, intent)
  const deadline = createEffectIo(context, intent, {
    send: sends,
    deadlineMs: PROBE_DEADLINE_MS,
    world,
  })
  try {
    const asked = Promise.resolve(hands.probe?.ask(intent, deadline.io)).then(parseProbeAnswer)
    const answer = await Promise.race([asked, deadline.passed])
    if (answer !== 'timeout') return answer
    return { finding: 'inconclusive', detail: 'the probe did not answer in time' }
  } catch (error) {
    return { finding: 'inconclusive', detail: toErrorMessage(error) }
  } finally {
    deadline.cancel()
  }
}

/** Records what the probe found and comes back later. */
async function probeLater(
  context: Context,
  { intent, execution }: Dispatched,
  description: CapabilityDescription,
  evidence: Parameters<typeof buildEvidenceWrite>[2],
): Promise<ExecutionRow> {
  const probes = execution.probes + 1
  const counted = { ...toUncertain(context, execution), probes }
  const after: ExecutionRow = {
    ...execution,
    version: execution.version + 1,
    probes,
    next_at: formatInstant(computeNextProbeMs(description, counted)),
  }
  const outcome = await context.store.commit({
    guards: [buildExecutionGuard(execution)],
    writes: [
      buildEvidenceWrite(context, intent, evidence),
      { kind: 'put_execution', execution: after },
    ],
  })
  return outcome.ok ? after : execution
}

/** It was looked at too early: a clock was set, or another engine took it over. */
export async function waitUntil(
  context: Context,
  execution: ExecutionRow,
  untilMs: number,
): Promise<ExecutionRow> {
  const { version } = execution
  const after = { ...execution, version: version + 1, next_at: formatInstant(untilMs) }
  const outcome = await context.store.commit({
    guards: [buildExecutionGuard(execution)],
    writes: [{ kind: 'put_execution', execution: after }],
  })
  return outcome.ok ? after : execution
}

export function buildExecutionGuard({ dfid, step_id, version }: ExecutionRow): Guard {
  return { kind: 'execution_version', dfid, step_id, version }
}
