/**
 * The composition root: the only place that knows which adapter stands behind which port.
 */
import { join, resolve } from 'node:path'
import {
  type Answer,
  type Contract,
  type Failure,
  type JsonObject,
  type Policy,
  parseContract,
  type Rules,
  type Sha256,
  type Snapshot,
} from 'rubicon-kernel'
import { createMemoryStore } from './adapters/memory/store.ts'
import { openSqliteStore } from './adapters/sqlite/store.ts'
import { checkpointFolder } from './adapters/system/checkpoint-file.ts'
import { systemClock } from './adapters/system/clock.ts'
import { poolChecker } from './adapters/system/ed25519.ts'
import { systemRandom } from './adapters/system/random.ts'
import { sha256 } from './adapters/system/sha256.ts'
import { openFileSigner } from './adapters/system/signer.ts'
import { stateDirectory } from './adapters/system/state-directory.ts'
import { compilePatterns } from './contract-file/compile-patterns.ts'
import { readContractFile } from './contract-file/read-contract-file.ts'
import type { Deps } from './engine/deps.ts'
import { Engine } from './engine/engine.ts'
import type { OpenedFlow, OpenRequest } from './engine/open.ts'
import type { ProposeOptions } from './engine/propose.ts'
import { loadPolicyFile } from './policies/policy-file.ts'
import type { Capability } from './ports/capability.ts'
import type { CheckpointSink } from './ports/checkpoint-sink.ts'
import type { Clock } from './ports/clock.ts'
import type { Failpoints } from './ports/failpoint.ts'
import type { SignatureChecker, Signer } from './ports/signer.ts'
import type { StateSource } from './ports/state-source.ts'
import type { Store } from './ports/store.ts'
import { ruleBook } from './rule-book.ts'

export type RuntimeOptions = {
  /** `sqlite:PATH` or `memory`. */
  readonly store?: string
  readonly tenant?: string
  readonly audience?: string
  /** Where keys and checkpoints are kept; not the store's folder. */
  readonly stateDirectory?: string
  readonly state?: StateSource
  readonly policies?: readonly Policy[]
  readonly capabilities?: readonly Capability[]
  readonly sinks?: readonly CheckpointSink[]
  readonly clock?: Clock
  readonly failpoints?: Failpoints
  /** A key manager, instead of key files in the state directory. */
  readonly signer?: Signer
  readonly checker?: SignatureChecker
  readonly sha256?: Sha256
  /** False: the caller drives reconciliation and checkpoints. */
  readonly background?: boolean
}

/** A job that could not be done, as an exception: what the library throws at its own callers. */
export class RubiconError extends Error {
  readonly code: string
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.why === undefined ? failure.summary : `${failure.summary}: ${failure.why}`)
    this.name = 'RubiconError'
    this.code = failure.code
    this.failure = failure
  }
}

/** What an agent's code holds of a flow. Everything it can do is propose. */
export type Flow = {
  readonly dfid: string
  readonly context: Snapshot & { readonly snapshot_id: string; readonly mission: string }
  propose(proposal: FlowProposal, options?: ProposeOptions): Promise<Answer>
  cancel(reason: string): Promise<void>
  close(): Promise<void>
}

/** Members that identify the flow and its context are filled in; given ones are kept as they are. */
export type FlowProposal = { readonly policy_kind: string; readonly params?: object } & Readonly<
  Record<string, unknown>
>

export type Runtime = {
  readonly engine: Engine
  readonly store: Store
  readonly keysFolder: string
  /** Registered before the first flow is opened; afterwards the law is fixed. */
  capability(capability: Capability): void
  /** Starts the engine now instead of with the first deploy or open. */
  start(): Promise<Engine>
  /** A policy, or the path of a `.cedar` or TypeScript file that holds one. */
  policy(policy: Policy | string): Promise<void>
  deploy(contract: string | JsonObject | Contract): Promise<{ agent_id: string; version: string }>
  open(request: OpenRequest): Promise<Flow>
  close(): Promise<void>
}

export { stateDirectory }

/** Where a store is when nobody says. */
export const DEFAULT_STORE = 'sqlite:./.rubicon/rubicon.db'

const NO_STATE: StateSource = { read: async () => [] }
const NOTHING_ARMED: Failpoints = { reach: () => {} }

export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const tenant = options.tenant ?? 'default'
  const folder = options.stateDirectory ?? stateDirectory()
  const store = await openStore(options.store ?? DEFAULT_STORE, tenant, options.clock)
  const keysFolder = join(folder, 'keys')
  const capabilities = [...(options.capabilities ?? [])]
  const policies = [...(options.policies ?? [])]
  let started: Promise<Engine> | null = null
  let running: Engine | null = null

  const start = async (): Promise<Engine> => {
    const book = unwrap(ruleBook(capabilities, policies, options.sha256 ?? sha256))
    const engine = new Engine(depsOf(options, store, tenant, folder, book), {
      background: options.background ?? true,
    })
    unwrap(await engine.start())
    running = engine
    return engine
  }
  const engine = (): Promise<Engine> => {
    started ??= start()
    return started
  }
  const beforeStart = (what: string): void => {
    if (started !== null) throw new Error(`${what} after the first use: the law is fixed by then`)
  }

  return {
    get engine() {
      if (running === null) throw new Error('the engine starts with the first deploy or open')
      return running
    },
    store,
    keysFolder,
    start: engine,
    capability(capability) {
      beforeStart('a capability was registered')
      capabilities.push(capability)
    },
    async policy(policy) {
      beforeStart('a policy was registered')
      policies.push(
        typeof policy === 'string' ? unwrap(await loadPolicyFile(policy, sha256)) : policy,
      )
    },
    async deploy(contract) {
      return unwrap(await (await engine()).deploy(await contractOf(contract)))
    },
    async open(request) {
      const running = await engine()
      return flowOf(running, unwrap(await running.open(request)))
    },
    async close() {
      const engine = started === null ? null : await started.catch(() => null)
      await (engine === null ? store.close() : engine.stop())
    },
  }
}

function depsOf(
  options: RuntimeOptions,
  store: Store,
  tenant: string,
  folder: string,
  book: Deps['book'],
  makeKeys = true,
): Deps {
  return {
    tenant,
    audience: options.audience ?? 'rubicon',
    store,
    clock: options.clock ?? systemClock,
    random: systemRandom,
    signer: options.signer ?? openFileSigner(join(folder, 'keys'), makeKeys),
    checker: options.checker ?? poolChecker,
    state: options.state ?? NO_STATE,
    sinks: options.sinks ?? [checkpointFolder(join(folder, 'checkpoints'))],
    failpoints: options.failpoints ?? NOTHING_ARMED,
    sha256: options.sha256 ?? sha256,
    book,
  }
}

/**
 * An engine for operators: it changes authority and nothing else. It holds no capabilities, so it
 * records no rules, takes over no effects and settles none; a runtime that has them does.
 */
export async function createOperator(
  options: RuntimeOptions = {},
  mode: 'own' | 'read' = 'own',
): Promise<Engine> {
  const tenant = options.tenant ?? 'default'
  const folder = options.stateDirectory ?? stateDirectory()
  const store = await openStore(options.store ?? DEFAULT_STORE, tenant, options.clock, mode)
  const book = unwrap(ruleBook([], [], sha256))
  const deps = depsOf(options, store, tenant, folder, book, mode === 'own')
  return new Engine(deps, { background: false })
}

/** The law of a set of capabilities and policies, without hands: for running records again. */
export function rulesOf(capabilities: readonly Capability[], policies: readonly Policy[]): Rules {
  return unwrap(ruleBook(capabilities, policies, sha256)).rules
}

function flowOf(engine: Engine, { flow, snapshot, contract }: OpenedFlow): Flow {
  const { dfid, agent_id, snapshot_id, mission_hash } = flow
  return {
    dfid,
    context: { ...snapshot, snapshot_id, mission: contract.contract.mission },
    propose: (proposal, options) =>
      engine.propose(
        dfid,
        {
          dfid,
          agent_id,
          context_ref: snapshot_id,
          mission_context_hash: mission_hash,
          ...proposal,
        },
        options,
      ),
    async cancel(reason) {
      unwrap(await engine.cancel(dfid, reason))
    },
    async close() {
      unwrap(await engine.close(dfid))
    },
  }
}

async function contractOf(contract: string | JsonObject | Contract): Promise<Contract> {
  if (typeof contract === 'string') return unwrap(await readContractFile(contract))
  const parsed = parseContract(contract as JsonObject)
  if (parsed.ok) {
    unwrap(compilePatterns(parsed.value))
    return parsed.value
  }
  const problems = parsed.error.map(({ path, detail }) => `${path.join('.')}: ${detail}`).join('; ')
  throw new RubiconError({
    code: 'CONTRACT_INVALID',
    summary: `the contract cannot be accepted: ${problems}`,
  })
}

/** Opens a store by its address; to read, it must exist and may be in use. */
export async function openStore(
  address: string,
  tenant: string,
  clock: Clock = systemClock,
  mode: 'own' | 'read' = 'own',
): Promise<Store> {
  if (address === 'memory') return createMemoryStore({ tenant, sha256, clock: clock.now })
  if (address.startsWith('sqlite:')) {
    const path = resolve(address.slice('sqlite:'.length))
    return openSqliteStore({ path, tenant, sha256, clock: clock.now, mode })
  }
  throw new RubiconError({
    code: 'STORE_ADDRESS',
    summary: `\`${address}\` is not a store`,
    fix: 'use sqlite:PATH or memory',
  })
}

function unwrap<T>(result: { ok: true; value: T } | { ok: false; error: Failure }): T {
  if (result.ok) return result.value
  throw new RubiconError(result.error)
}
