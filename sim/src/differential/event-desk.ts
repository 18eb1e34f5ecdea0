/** Agents that one observation wakes, on the real engine in memory, with a clock that is moved by hand. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from 'rubicon-kernel'
import { type Capability, createRuntime, type Runtime } from 'rubicon-runtime'
import type { Clock } from '../../../runtime/src/ports/clock.ts'
import type { FlowRow } from '../../../runtime/src/ports/store.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'
import type { EventStory, Fates, Rank, Said } from '../reference/arbitration.ts'

const WINDOW_MS = 2_000
const KINDS = ['BUY', 'SELL', 'ALERT'] as const

/** Who is woken: ranks by priority, by role, and by name alone. */
export const DESK: readonly Rank[] = [
  { agent: 'agent_a', priority: 50, role: 'EXECUTOR' },
  { agent: 'agent_b', priority: 50, role: 'MONITOR' },
  { agent: 'agent_c', priority: 50, role: 'STRATEGIST' },
  { agent: 'agent_d', priority: 50, role: 'EXECUTOR' },
  { agent: 'agent_e', priority: 40, role: 'EXECUTOR' },
]

const CAPABILITY: Omit<Capability, 'kind'> = {
  effect: 'keyed',
  risk: 'low',
  reversible: true,
  idempotency: { carrier: 'header', window_s: 86_400 },
  params: {
    type: 'object',
    properties: { stocks: { type: 'array', items: { type: 'string' } } },
    required: ['stocks'],
    additionalProperties: false,
  },
  resources: ({ stocks }) => (stocks as readonly string[]).map((id) => ({ id, amount: '1' })),
  execute: () => ({ result: null }),
}

/** Nobody here waits for time: outcomes are there at once. */
function createEndlessWait(): ReturnType<Clock['after']> {
  return { elapsed: new Promise(() => {}), cancel: () => {} }
}

type Law = Pick<EventStory, 'exclusive' | 'preempting'>

export class EventDesk {
  readonly #runtime: Runtime
  readonly #folder: string
  readonly #advance: (ms: number) => void
  #events = 0

  private constructor(runtime: Runtime, folder: string, advance: (ms: number) => void) {
    this.#runtime = runtime
    this.#folder = folder
    this.#advance = advance
  }

  static async open({ exclusive, preempting: preempting_kinds }: Law): Promise<EventDesk> {
    const folder = mkdtempSync(join(tmpdir(), 'rubicon-desk-'))
    let now = Date.parse('2026-06-01T12:00:00.000Z')
    const getNow = (): number => now
    const clock: Clock = { now: getNow, monotonic: getNow, after: createEndlessWait }
    const runtime = await createRuntime({
      store: 'memory',
      stateDirectory: folder,
      capabilities: KINDS.map((kind) => ({ ...CAPABILITY, kind })),
      topics: [
        {
          topic: 'market.*',
          arbitration: { window_ms: WINDOW_MS, exclusive, preempting_kinds: [...preempting_kinds] },
        },
      ],
      background: false,
      clock,
    })
    for (const rank of DESK) await runtime.deploy(buildDeskContract(rank))
    return new EventDesk(runtime, folder, (ms) => {
      now += ms
    })
  }

  /** What the engine makes of it. */
  async play({ said, later }: EventStory): Promise<Fates> {
    const { engine } = this.#runtime
    this.#events += 1
    this.#advance(60_000)
    for (const { agent } of DESK) await this.#setMood(agent, 'staged')
    await this.#runtime.observe({ path: 'market.price', value: this.#events })
    await engine.runDue()
    const flows = await this.#listFlows()
    for (const one of said) await this.#say(flows, one)
    this.#advance(WINDOW_MS)
    await engine.runDue()
    for (const one of later) {
      await this.#say(flows, one)
      // Whoever looks at the event ends what has lost by then.
      await engine.runDue()
    }
    return this.#readFates(await this.#listFlows())
  }

  async #say(flows: readonly FlowRow[], { agent, kind, holds, first, turn }: Said): Promise<void> {
    const { engine } = this.#runtime
    const { dfid } = flows.find(({ agent_id }) => agent_id === agent) ?? { dfid: '' }
    this.#advance(1)
    await this.#setMood(agent, first)
    const params: JsonObject = kind === 'HALT' ? { reason: 'enough' } : { stocks: [...holds] }
    await engine.propose(dfid, { policy_kind: kind, params }, { waitMs: 0 })
    await engine.context.inFlight.awaitDrained()
    await this.#setMood(agent, turn)
  }

  /** What the outside says of an agent: its contract refuses by the one, and asks a person by the other. */
  async #setMood(agent: string, judged: Said['first']): Promise<void> {
    const buildWord = (path: string, value: boolean) => ({ path: `desk.${path}.${agent}`, value })
    await this.#runtime.observe([
      buildWord('open', judged !== 'refused'),
      buildWord('calm', judged !== 'escalated'),
    ])
  }

  async #listFlows(): Promise<readonly FlowRow[]> {
    const flows = await this.#runtime.store.listFlows({ limit: 100 })
    const [newest] = flows.filter(({ event }) => event !== null)
    return flows.filter(({ event }) => event?.event_id === newest?.event?.event_id)
  }

  async #readFates(flows: readonly FlowRow[]): Promise<Fates> {
    const fates: [string, string][] = []
    for (const flow of flows) fates.push([flow.agent_id, await this.#readFate(flow, flows)])
    return Object.fromEntries(fates)
  }

  /** The last word of the ledger about a flow. */
  async #readFate(flow: FlowRow, flows: readonly FlowRow[]): Promise<string> {
    const entries = await this.#runtime.store.listFlowEntries(flow.dfid)
    const findName = (dfid: unknown): string =>
      flows.find((one) => one.dfid === dfid)?.agent_id ?? String(dfid)
    let fate = 'silent'
    for (const { envelope, payload } of entries) {
      // A flow that was halted has ended, whatever is said in it later.
      if (fate.startsWith('halted')) break
      const read = JSON.parse(payload ?? '{}') as {
        readonly intent?: { readonly policy_kind: string }
        readonly reason_code?: string
        readonly details?: JsonObject
      }
      if (envelope.kind === 'dispatch')
        fate = read.intent?.policy_kind === 'HALT' ? 'halts' : 'carried out'
      if (envelope.kind === 'pending_approval') fate = 'escalated'
      if (read.reason_code === 'PREEMPTED') fate = `preempted by ${findName(read.details?.winner)}`
      else if (read.reason_code === 'EVENT_HALTED')
        fate = `halted by ${findName(read.details?.halted_by)}`
      else if (envelope.kind === 'rejection') fate = 'refused'
    }
    return flow.state === 'VALIDATING' ? 'waits' : fate
  }

  async close(): Promise<void> {
    await this.#runtime.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function buildDeskContract({ agent, priority, role }: Rank): JsonObject {
  const limit = { kind: 'state_match', expected: true, applies_to: [...KINDS] }
  const permissions = {
    subscriptions: [{ topic: 'market.price' }],
    reads: ['market.*', 'desk.*'],
    limits: [
      { ...limit, id: 'open', field: `desk.open.${agent}` },
      { ...limit, id: 'calm', field: `desk.calm.${agent}`, on_breach: 'escalate' },
    ],
  }
  const safety_rules = { escalations_per_hour: 1_000, rejections_per_hour: 10_000 }
  const contract = buildContract(agent, [...KINDS, 'HALT'], { permissions, safety_rules })
  return { ...contract, priority, role } as JsonObject
}
