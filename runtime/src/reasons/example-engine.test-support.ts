/** A real engine on a memory store, with one agent, one capability, and a provider by script. */
import {
  type AgentStatus,
  type Answer,
  type Delta,
  decodeHex,
  type EffectClass,
  encodeBase64,
  type FactLabel,
  type Failure,
  isObject,
  type JsonObject,
  type JsonValue,
  type KeyPurpose,
  type LifecycleActor,
  parseManifest,
  type Result,
  toCanonicalText,
  type Writ,
} from 'rubicon-kernel'
import { createMemoryStore } from '../adapters/memory/store.ts'
import { createTables } from '../adapters/memory/tables.ts'
import { derivePrivateKey, poolChecker, toRawPublicKey } from '../adapters/system/ed25519.ts'
import { createHeadKey } from '../adapters/system/head-key.ts'
import { systemRandom } from '../adapters/system/random.ts'
import { sha256 } from '../adapters/system/sha256.ts'
import { createSeededSigner, RUNTIME_PURPOSES } from '../adapters/system/signer.ts'
import { loadSystemTokenizer } from '../adapters/system/tokenizer.ts'
import { systemZones } from '../adapters/system/zones.ts'
import { parseContractText } from '../contract-file/read-contract-file.ts'
import { parseMonitorText } from '../contract-file/read-monitor-file.ts'
import { storeManifest } from '../engine/authority/authority-cache.ts'
import { registerKey } from '../engine/authority/keys.ts'
import type { HandshakeRequest } from '../engine/authority/registry/handshake.ts'
import type { SpawnRequest } from '../engine/authority/registry/instances.ts'
import type { Usage } from '../engine/close/usage.ts'
import type { EngineOptions } from '../engine/create-context.ts'
import type { ActRequest } from '../engine/decide/act.ts'
import type { Deps } from '../engine/deps.ts'
import { Engine } from '../engine/engine.ts'
import type { OpenRequest } from '../engine/flow/open.ts'
import type { Observation } from '../engine/observe/observe.ts'
import type { Speaker } from '../engine/observe/speaker.ts'
import { LawJudge } from '../evidence/law/judge-law.ts'
import { replayTrajectory } from '../evidence/replay.ts'
import { type Capability, type Effect, NotApplied } from '../ports/capability.ts'
import type { ManifestSource } from '../ports/manifest-source.ts'
import type { GuardFinding } from '../ports/soft-guard.ts'
import type { Store } from '../ports/store.ts'
import { buildRuleBook } from '../rule-book.ts'
import { memorySink } from './memory-sink.test-support.ts'
import { ScriptedClock } from './scripted-clock.test-support.ts'

/** What the provider does, a call at a time; the last line is repeated. */
type ProviderLine =
  | { readonly answers: { readonly result?: JsonValue; readonly delta?: Delta } }
  | { readonly refuses: string; readonly transient?: boolean }
  | { readonly loses_the_answer: string }

/** By its bytes, in hex; or as one that somebody else holds: then possession is not proven. */
type RegisteredKey = { readonly public_key: string } | { readonly held_by: 'somebody else' }
type Step =
  | { readonly propose: JsonObject }
  | { readonly propose_at_once: number }
  | { readonly cancel: string }
  | { readonly wait_ms: number }
  /** Somebody sets the clock by so much. */
  | { readonly set_clock_ms: number }
  /** Somebody aborts what this request asks. */
  | { readonly decide: string }
  | { readonly usage: Usage }
  | { readonly run_due: true }
  | { readonly sweep_monitors: true }
  | { readonly reconcile: true }
  | { readonly change_stored_intent: JsonObject }
  | { readonly restore: 'an empty store' }
  | { readonly change_entry: string }
  | { readonly change_flow: JsonObject }
  | { readonly deploy_file: string }
  | { readonly monitor_file: string }
  | { readonly manifest: JsonObject }
  | { readonly deploy_without_key: KeyPurpose }
  | RegistryStep
  | ContextStep
  | { readonly register_key: RegisteredKey }
  | { readonly replay_demanding_compiler: string }
  | { readonly judge_by_law_with_facts: JsonObject }

/** What is asked of the registry. */
type RegistryStep =
  | {
      readonly move_agent: {
        readonly to: AgentStatus
        readonly actor: LifecycleActor
        readonly justification?: string
      }
    }
  | { readonly handshake: HandshakeRequest }
  /** With the token of the last handshake, or with another. */
  | { readonly propose_in_session: { readonly token?: string } }
  | { readonly open: OpenRequest }
  | { readonly act: ActRequest }
  | { readonly spawn: SpawnRequest }
  | { readonly registry: 'down' }

/** What is put into the layers of the context. */
type ContextStep =
  | { readonly observe: Observation; readonly as?: Speaker }
  | {
      readonly note: {
        readonly repeat: string
        readonly times: number
        readonly label?: FactLabel
      }
    }
  | { readonly agent_state: JsonValue; readonly on_version: number | null }

export type Scenario = {
  readonly capability?: {
    readonly effect?: EffectClass
    readonly postcondition?: string
    /** What every action holds. */
    readonly resource?: string
  }
  readonly provider?: readonly ProviderLine[]
  /** How many proposals the engine judges at a time. */
  readonly room?: number
  /** The process is stopped for so long after the dispatch is durable, before anything is sent. */
  readonly stopped_before_send_ms?: number
  /** An executor of its own is stopped for so long before it dispatches what was accepted. */
  readonly stopped_before_dispatch_ms?: number
  /** What a soft guard says of everything, before it is dispatched. */
  readonly strict_guard?: GuardFinding
  /** Of the contract; without it there are none. */
  readonly safety_rules?: JsonObject
  readonly aggregate_thresholds?: JsonObject
  readonly steps: readonly Step[]
}

const RESULT: JsonObject = { order_id: 'order-1' }

export const CONTRACT_FILE = `agent_id: trader_01
version: 1.0.0
owner: jane.doe@example.com
effective_from: 2026-02-01
authority: EXECUTE_FULL
mission: Keep the position near its target.
permissions:
  policy_kinds: [BUY]
  instruments: [ETH-USD, BTC-USD]
`

export function scriptedCapability({ capability, provider = [] }: Partial<Scenario>): Capability {
  let calls = 0
  const { effect = 'keyed', postcondition, resource } = capability ?? {}
  return {
    kind: 'BUY',
    effect,
    risk: 'low',
    params: {
      type: 'object',
      required: ['instrument', 'quantity'],
      additionalProperties: false,
      properties: { instrument: { type: 'string' }, quantity: { type: 'string' } },
    },
    result: {
      type: 'object',
      required: ['order_id'],
      properties: { order_id: { type: 'string' } },
    },
    scopes: { instruments: '/instrument' },
    ...(effect === 'keyed' ? { idempotency: { carrier: 'header', window_s: 86_400 } } : {}),
    resources: () => (resource === undefined ? [] : [{ id: resource, amount: '1' }]),
    execute(): Effect {
      const line = provider[Math.min(calls, provider.length - 1)] ?? { answers: { result: RESULT } }
      calls += 1
      if ('refuses' in line)
        throw new NotApplied(line.refuses, { transient: line.transient ?? false })
      if ('loses_the_answer' in line) throw new Error(line.loses_the_answer)
      return line.answers
    },
    ...(postcondition === undefined ? {} : { postcondition: () => postcondition }),
  }
}

export class ExampleEngine {
  readonly clock: ScriptedClock = new ScriptedClock()
  readonly #sink = memorySink()
  #tables = createTables()
  readonly #scenario: Partial<Scenario>
  engine: Engine
  store: Store
  dfid = ''
  #token = ''
  #registryIsDown = false
  /** What a good proposal of the flow looks like. */
  proposal: JsonObject = {}

  constructor(scenario: Partial<Scenario> = {}) {
    this.#scenario = scenario
    this.store = this.#openStore(1)
    this.engine = this.#newEngine()
  }

  /** Starts, deploys the contract and opens a flow. */
  async start(): Promise<this> {
    done(await this.engine.start())
    const { safety_rules = {}, aggregate_thresholds = {} } = this.#scenario
    const rules = Object.entries({ safety_rules, aggregate_thresholds })
    const contract = `${CONTRACT_FILE}${rules.map(([name, rule]) => `${name}: ${JSON.stringify(rule)}\n`).join('')}`
    done(await this.engine.deploy(done(parseContractText(contract, 'contract.yaml'))))
    const { flow } = done(await this.engine.open({ agent: 'trader_01', trigger: 'example' }))
    this.dfid = flow.dfid
    this.proposal = {
      dfid: flow.dfid,
      agent_id: flow.agent_id,
      policy_kind: 'BUY',
      params: { instrument: 'ETH-USD', quantity: '1.5' },
      context_ref: flow.snapshot_id,
      mission_context_hash: flow.mission_hash,
    }
    return this
  }

  /** Every code that the step brought out: in answers, in failures, in the ledger. */
  async run(step: Step): Promise<readonly string[]> {
    const before = await this.store.countLeaves()
    const said = await this.#take(step)
    // An executor of its own goes on after the answer, in this process.
    if (this.#scenario.stopped_before_dispatch_ms !== undefined)
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    const entries = await this.store.listLeaves(before, 100)
    return [...said, ...entries.flatMap(({ payload }) => codeIn(payload))]
  }

  async #take(step: Step): Promise<readonly string[]> {
    if ('propose' in step) return [...codesOf(await this.#propose(step.propose))]
    if ('propose_at_once' in step) {
      const all = Array.from({ length: step.propose_at_once }, () => this.#propose({}))
      return (await Promise.all(all)).flatMap(codesOf)
    }
    if ('cancel' in step) return failureOf(await this.engine.cancel(this.dfid, step.cancel))
    if ('usage' in step) return failureOf(await this.engine.usage(this.dfid, step.usage))
    if ('run_due' in step) {
      await this.engine.runDue()
      return []
    }
    if ('sweep_monitors' in step) {
      await this.engine.oversight.sweepMonitors()
      return []
    }
    if ('decide' in step) return failureOf(await this.#abort(step.decide))
    if ('set_clock_ms' in step) {
      this.clock.set(step.set_clock_ms)
      return []
    }
    if ('wait_ms' in step) {
      this.clock.advance(step.wait_ms)
      return []
    }
    if ('reconcile' in step) {
      await this.engine.reconcile()
      const rows = await this.store.listExecutions({ dfid: this.dfid, limit: 10 })
      return rows.flatMap(({ reason_code }) => reason_code ?? [])
    }
    if ('change_stored_intent' in step) return this.#changeStoredIntent(step.change_stored_intent)
    if ('restore' in step) {
      await this.engine.checkpoint()
      this.#tables = createTables()
      return this.#startOn(this.#openStore(1))
    }
    if ('change_entry' in step) return this.#changeEntry(step.change_entry)
    if ('change_flow' in step) {
      for (const flow of [...this.#tables.flows.values()])
        this.#tables.flows.set(flow.dfid, { ...flow, ...step.change_flow })
      return this.#startOn(this.#openStore(2))
    }
    if ('deploy_file' in step) {
      const contract = parseContractText(step.deploy_file, 'contract.yaml')
      return failureOf(contract.ok ? await this.engine.deploy(contract.value) : contract)
    }
    if ('manifest' in step) return failureOf(parseManifest(step.manifest))
    if ('monitor_file' in step) {
      const monitor = parseMonitorText(step.monitor_file, 'monitor.yaml')
      return failureOf(
        monitor.ok ? await this.engine.oversight.deployMonitor(monitor.value) : monitor,
      )
    }
    if ('deploy_without_key' in step) {
      const purposes = RUNTIME_PURPOSES.filter((purpose) => purpose !== step.deploy_without_key)
      const contract = CONTRACT_FILE.replace('1.0.0', '1.1.0')
      const deployed = done(parseContractText(contract, 'contract.yaml'))
      return failureOf(await this.#newEngine(purposes).deploy(deployed))
    }
    if ('register_key' in step) return this.#registerKey(step.register_key)
    if ('replay_demanding_compiler' in step) {
      const requireCompiler = step.replay_demanding_compiler
      const report = await replayTrajectory(this.store, 'main', sha256, { requireCompiler })
      return report.findings.map(({ code }) => code)
    }
    if ('judge_by_law_with_facts' in step) return this.#judgeByLaw(step.judge_by_law_with_facts)
    if ('observe' in step || 'note' in step || 'agent_state' in step) return this.#tell(step)
    return this.#askRegistry(step)
  }

  async #judgeByLaw(changed: JsonObject): Promise<readonly string[]> {
    const judge = new LawJudge(sha256)
    const writs = new Map<string, Writ>()
    for (const { id, envelope, payload: text, leaf } of await this.store.listLeaves(0, 1_000)) {
      const payload = JSON.parse(text ?? '{}') as JsonObject
      const { writ, facts } = payload
      if (isObject(writ)) writs.set(String(writ.id), writ as unknown as Writ)
      const recorded = isObject(facts) ? { facts: { ...facts, ...changed } } : {}
      const judged = { id, envelope, payload: { ...payload, ...recorded } }
      judge.see(leaf, judged, (fact) => writs.get(fact.id))
    }
    return judge.report().findings.map(({ code }) => code)
  }

  async #tell(step: ContextStep): Promise<readonly string[]> {
    const { contextStore } = this.engine
    if ('observe' in step) {
      const { observe, as = { kind: 'process' } } = step
      return failureOf(await contextStore.observe(observe, as))
    }
    if ('note' in step) {
      const { repeat, times, ...label } = step.note
      const note = { text: repeat.repeat(times), ...label }
      return failureOf(await contextStore.note(this.dfid, note))
    }
    const { agent_state: value, on_version: version } = step
    return failureOf(await contextStore.putAgentState('trader_01', value, version))
  }

  async #askRegistry(step: RegistryStep): Promise<readonly string[]> {
    if ('registry' in step) {
      this.#registryIsDown = true
      return []
    }
    if ('spawn' in step) return failureOf(await this.engine.instances.spawn(step.spawn))
    if ('open' in step) return failureOf(await this.engine.open(step.open))
    if ('act' in step) return failureOf(await this.engine.act(step.act))
    if ('handshake' in step) {
      const greeted = await this.engine.handshake(step.handshake)
      if (greeted.ok) this.#token = greeted.value.session_token
      return failureOf(greeted)
    }
    if ('propose_in_session' in step) {
      const session = step.propose_in_session.token ?? this.#token
      return codesOf(await this.engine.propose(this.dfid, this.proposal, { session }))
    }
    const move = { agent_id: 'trader_01', justification: 'example', ...step.move_agent }
    return failureOf(await this.engine.moveAgent(move))
  }

  /** The store's own, until the script takes it away. */
  #manifest(): ManifestSource {
    const source = storeManifest(this.store)
    const answered = async <T>(answer: () => Promise<T>): Promise<T> => {
      if (this.#registryIsDown) throw new Error('the registry is down')
      return answer()
    }
    return {
      head: () => answered(() => source.head()),
      entries: (from, limit) => answered(() => source.entries(from, limit)),
    }
  }

  #abort(id: string): Promise<Result<unknown, Failure>> {
    const bound = { intent_digest: 'sha256:0', shown_snapshot: 'sha256:0', lifts: [] }
    const decision = { ...bound, decision: 'ABORT', justification: 'example' } as const
    return this.engine.oversight.decideEscalation(id, decision, {
      kind: 'person',
      principal: 'ann@example.com',
    })
  }

  #propose(change: JsonObject): Promise<Answer> {
    const proposal = { ...this.proposal, ...change }
    return this.engine.propose(String(proposal.dfid), proposal)
  }

  async #registerKey(key: RegisteredKey): Promise<readonly string[]> {
    const raw = 'public_key' in key ? decodeHex(key.public_key) : anotherKey()
    const registration = {
      purpose: 'agent',
      subject: 'trader_01',
      public_key: encodeBase64(raw ?? new Uint8Array(0)),
      possession: encodeBase64(new Uint8Array(64)),
    } as const
    return failureOf(await registerKey(this.engine.context, registration))
  }

  /** As someone would who can write to the database. */
  async #changeStoredIntent(change: JsonObject): Promise<readonly string[]> {
    const [row] = await this.store.listExecutions({ dfid: this.dfid, limit: 1 })
    if (row === undefined) throw new Error('nothing was dispatched')
    const intent = toCanonicalText({ ...(JSON.parse(row.intent) as JsonObject), ...change })
    const execution = { ...row, version: row.version + 1, intent }
    await this.store.commit({ guards: [], writes: [{ kind: 'put_execution', execution }] })
    return []
  }

  async #changeEntry(payload: string): Promise<readonly string[]> {
    const entry = this.#tables.entries.pop()
    if (entry !== undefined) this.#tables.entries.push({ ...entry, payload })
    return this.#startOn(this.#openStore(2))
  }

  async #startOn(store: Store): Promise<readonly string[]> {
    this.store = store
    this.engine = this.#newEngine()
    return failureOf(await this.engine.start())
  }

  #openStore(epoch: number): Store {
    const kept = { tables: this.#tables, epoch }
    const { clock } = this
    const times = { clock: () => clock.now(), monotonic: () => clock.monotonic() }
    return createMemoryStore({ tenant: 'acme', sha256, ...times, kept })
  }

  #newEngine(purposes: readonly KeyPurpose[] = RUNTIME_PURPOSES): Engine {
    const { room, stopped_before_send_ms: stopped = 0 } = this.#scenario
    const { stopped_before_dispatch_ms: slept, strict_guard: guard } = this.#scenario
    const book = done(buildRuleBook([scriptedCapability(this.#scenario)], [], sha256))
    const options: EngineOptions = {
      background: false,
      ...(room === undefined ? {} : { proposalsInFlight: room }),
      ...(slept === undefined ? {} : { executors: 'separate' }),
    }
    const deps = {
      tenant: 'acme',
      audience: 'rubicon',
      store: this.store,
      manifest: this.#manifest(),
      clock: this.clock,
      zones: systemZones,
      random: systemRandom,
      signer: createSeededSigner(new Uint8Array(32), purposes),
      headKey: createHeadKey(systemRandom),
      checker: poolChecker,
      tokenizer: loadSystemTokenizer,
      sinks: [this.#sink],
      failpoints: {
        reach: (point: string) => {
          if (point === 'dispatch.before_commit') this.clock.advance(slept ?? 0)
          if (point === 'dispatch.after_commit') this.clock.advance(stopped)
        },
      },
      sha256,
      book,
      ...(guard === undefined ? {} : strictly(guard)),
    }
    return new Engine(deps, options)
  }
}

function strictly(finding: GuardFinding): Pick<Deps, 'softGuards' | 'strictSemanticBlocking'> {
  const softGuards = [{ name: 'story', check: async () => finding }]
  return { softGuards, strictSemanticBlocking: true }
}

function anotherKey(): Uint8Array {
  return toRawPublicKey(derivePrivateKey(sha256(new Uint8Array(1))))
}

function done<T>(result: Result<T, Failure>): T {
  if (result.ok) return result.value
  throw new Error(`${result.error.code}: ${result.error.summary}`)
}

function failureOf(result: Result<unknown, Failure>): readonly string[] {
  return result.ok ? [] : [result.error.code]
}

export function codesOf({ reason_code, execution }: Answer): readonly string[] {
  return [reason_code, execution?.reason_code].filter((code) => code !== undefined)
}

function codeIn(payload: string | null): readonly string[] {
  if (payload === null) return []
  const { reason_code, request } = JSON.parse(payload) as {
    readonly reason_code?: string
    readonly request?: { readonly reason_code: string }
  }
  const code = reason_code ?? request?.reason_code
  return code === undefined ? [] : [code]
}
