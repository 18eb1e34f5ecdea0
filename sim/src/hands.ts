/** The hands of one process: they reach the simulated provider, and wait as the process does. */
import {
  assertUnreachable,
  type JsonValue,
  LIMITS,
  type ProbeFinding,
  type SignedIntent,
} from 'rubicon-kernel'
import type { RuleBook } from '../../runtime/src/engine/deps.ts'
import {
  type Capability,
  type Compensate,
  type Effect,
  type EffectIo,
  NotApplied,
  type ProbeAnswer,
  type RegisteredCapability,
} from '../../runtime/src/ports/capability.ts'
import { createCanary } from './canary.ts'
import { CAPABILITIES } from './capabilities.ts'
import type { VirtualTime } from './clock.ts'
import type { Law } from './laws.ts'
import type { SimProcess } from './process.ts'
import type { EffectKind, Finding, Provider } from './provider.ts'
import type { Faults } from './swarm.ts'
import { bindTool } from './tools.ts'

/** Beyond whatever anybody waits for. */
const HANGS_MS = 86_400_000

export type Hands = {
  readonly process: SimProcess
  readonly provider: Provider
  readonly time: VirtualTime
  readonly faults: Faults
  /** The kinds of artifacts, with hands of this process. */
  readonly artifacts: readonly Capability[]
}

/** A law, with hands that reach this provider from this process. */
export function bindRuleBook(hands: Hands, { book: law }: Law): RuleBook {
  const registered = new Map<string, RegisteredCapability>()
  for (const capability of law.capabilities()) {
    const { kind } = capability.hands
    // What is reserved is done by the engine itself.
    const reaching =
      hands.artifacts.find((artifact) => artifact.kind === kind) ??
      bindTool(hands, kind) ??
      (isOurs(kind) ? bindCapability(hands, capability.hands) : capability.hands)
    registered.set(kind, { ...capability, hands: reaching })
  }
  return {
    rules: law.rules,
    ruleSet: law.ruleSet,
    hash: law.hash,
    capability: (kind) => registered.get(kind),
    capabilities: () => law.capabilities(),
  }
}

function isOurs(kind: string): boolean {
  return CAPABILITIES.some((capability) => capability.kind === kind)
}

function bindCapability(hands: Hands, capability: Capability): Capability {
  const { probe, compensate, compensations = {} } = capability
  const kind = capability.effect === 'queryable' ? 'CANCEL' : 'UNDO'
  const takeBack: Compensate = async (intent, io) => {
    const result = await send(hands, kind, intent, io)
    return { result, receipt: { note: createCanary('receipt') } }
  }
  const choices = Object.keys(compensations).map((choice) => [choice, takeBack])
  return {
    ...capability,
    async execute(intent, io) {
      const sent = intent.policy_kind as EffectKind
      return toEffect(sent, intent, await send(hands, sent, intent, io))
    },
    ...(probe === undefined ? {} : { probe: { ...probe, ask: ask(hands) } }),
    ...(compensate === undefined ? {} : { compensate: takeBack }),
    compensations: Object.fromEntries(choices),
  }
}

async function send(
  { process, provider }: Hands,
  kind: EffectKind,
  { params }: SignedIntent,
  io: EffectIo,
): Promise<JsonValue> {
  if (!process.alive) return process.waitForever()
  const request = { kind, key: io.idempotencyKey, send: io.send, params }
  const answer = await process.wait(provider.request(request))
  switch (answer.kind) {
    case 'done':
      return answer.result
    case 'refused':
      throw new NotApplied(answer.why, { transient: answer.transient })
    case 'reset':
      throw new Error(padToSplitPair(`connection reset ${createCanary('error')}`))
    default:
      return assertUnreachable(answer)
  }
}

/** As long as a message can be that is kept whole, but for a character that the cut goes through. */
function padToSplitPair(message: string): string {
  return `${message.padEnd(LIMITS.wordsLength - 1)}\u{1f50c}`
}

function toEffect(
  kind: EffectKind,
  { params, idempotency_key }: SignedIntent,
  result: JsonValue,
): Effect {
  const id = idempotency_key.slice(0, 16)
  switch (kind) {
    case 'PAY': {
      // Every third payment costs less than was projected.
      const less = Number(params.amount) % 3 === 0
      const cost = { calls: '1', usd: less ? '1' : String(params.amount) }
      const delta = [
        { op: 'create', kind: 'payment', id, value: { amount: params.amount ?? null } },
      ] as const
      return { result, delta, receipt: { id, note: createCanary('receipt') }, cost }
    }
    case 'ORDER':
      return { result, delta: [{ op: 'create', kind: 'order', id, value: params }] }
    case 'STOCK': {
      const { item, count, version: expected_version } = params
      const at = Number(expected_version)
      const common = { kind: 'stock', id: String(item), expected_version: at, value: String(count) }
      return {
        result,
        delta: [at === 0 ? { op: 'create', ...common } : { op: 'replace', ...common }],
      }
    }
    default:
      return { result }
  }
}

function ask({ process, provider, time, faults }: Hands) {
  return async (intent: SignedIntent, io: EffectIo): Promise<ProbeAnswer> => {
    if (!process.runs) await process.turn()
    const slow = faults.drawFault('probe_slow') ? faults.drawBetween(1000, 15_000) : 0
    await process.wait(time.sleep(faults.drawBetween(1, 20) + slow))
    if (faults.drawFault('probe_failed')) throw new Error('the probe was refused')
    const found = provider.probe(io.idempotencyKey)
    // Once it talks nonsense about an order, it does so for ever, also when the storm is over.
    if (faults.drawFault('probe_lies')) provider.confused.add(io.idempotencyKey)
    if (provider.confused.has(io.idempotencyKey)) return talkNonsense(found, io, time)
    const finding: ProbeFinding = found.finding
    if (found.finding === 'absent') return { finding }
    return { finding, effect: toEffect(intent.policy_kind as EffectKind, intent, found.result) }
  }
}

/** Which kind depends on the order alone: a result of no sense, a cost that cannot be counted, no answer. */
async function talkNonsense(
  found: Finding,
  { idempotencyKey }: EffectIo,
  time: VirtualTime,
): Promise<ProbeAnswer> {
  const { finding } = found
  switch (Number.parseInt(idempotencyKey.slice(0, 1), 16) % 3) {
    case 0:
      return { finding, effect: { result: 'garbage' } }
    case 1: {
      const result = found.finding === 'applied' ? found.result : null
      return { finding, effect: { result, cost: { calls: '1', usd: '0.0000001' } } }
    }
    default:
      await time.sleep(HANGS_MS)
      return { finding }
  }
}
