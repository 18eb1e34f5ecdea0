/**
 * The composition root: the only place that knows which adapter stands behind which port.
 */
import { join } from 'node:path'
import { type Failure, type JsonObject, ok, type Result } from 'rubicon-kernel'
import { sha256 } from './adapters/system/sha256.ts'
import {
  normaliseStorePlace,
  resolveStateDirectory,
  toTenantFileName,
} from './adapters/system/state-directory.ts'
import { buildDeps, toStderr } from './build-deps.ts'
import { toCapability } from './capabilities/from-manifest.ts'
import { type ChannelRules, loadChannelRules, NO_CHANNEL_RULES } from './channels/index.ts'
import { loadContract } from './contract-file/contract-from.ts'
import { loadMonitor } from './contract-file/read-monitor-file.ts'
import type { Deps } from './engine/deps.ts'
import { Engine } from './engine/engine.ts'
import { Handlers } from './engine/flow/agent-handlers.ts'
import { checkExtensions, STRICT_WARNING } from './extension-options.ts'
import { createFlow, type Flow, openAgentFlow } from './flow.ts'
import { loadPolicy } from './held-rules.ts'
import { reportUnknownKinds } from './known-capabilities.ts'
import { findBlobs, openRuntimeArtifacts } from './open-artifacts.ts'
import { hasPlainKeys, openKeys, openPresentKeys } from './open-keys.ts'
import { createStoreReader, openStore } from './open-store.ts'
import { loadPolicies } from './policies/load-policy.ts'
import type { Capability } from './ports/capability.ts'
import type { RowVouching } from './ports/row-mac.ts'
import type { Store } from './ports/store.ts'
import { findPresentVouching, prepareVouching } from './row-vouching.ts'
import { RubiconError, unwrap } from './rubicon-error.ts'
import { buildRuleBook } from './rule-book.ts'
import type { Runtime, RuntimeOptions, RuntimePart } from './runtime.ts'
import { formatStartLines } from './started-lines.ts'
import { loadTools } from './tools/load-tools.ts'

export { createMaskedProvider, createXGrammarEngine } from './adapters/decoders/index.ts'
export { createModelAuditor } from './adapters/guard/model-auditor.ts'
export { createModelGuard, type ModelAdviserOptions } from './adapters/guard/model-guard.ts'
export { narrativeGuard } from './adapters/guard/narrative.ts'
export { type KeptMemory, keepMemory } from './adapters/memory/kept.ts'
export { createAnthropicProvider } from './adapters/models/anthropic/provider.ts'
export { createGoogleProvider } from './adapters/models/google/provider.ts'
export type { HttpProviderOptions } from './adapters/models/http-provider.ts'
export { createOpenAiProvider, type OpenAiOptions } from './adapters/models/openai/provider.ts'
export { recordModel } from './adapters/models/recorded/record.ts'
export { replayModel } from './adapters/models/recorded/replay.ts'
export { type RetryOptions, retryModel } from './adapters/models/retry.ts'
export {
  createScriptedProvider,
  type Script,
  type ScriptedOptions,
  type ScriptedReply,
} from './adapters/models/scripted.ts'
export { logNotifier } from './adapters/notify/log.ts'
export { type WebhookOptions, webhookNotifier } from './adapters/notify/webhook.ts'
export { borrowPostgres } from './adapters/postgres/loan.ts'
export { type HttpManifestOptions, openHttpManifest } from './adapters/registry/http-manifest.ts'
export { type Ownership, takeOwnership } from './adapters/sqlite/owner.ts'
export { systemClock } from './adapters/system/clock.ts'
export {
  createObservability,
  type Observability,
  type ObservabilityOptions,
} from './adapters/telemetry/observability.ts'
export type { RuntimeArtifacts } from './artifacts/options.ts'
export { createFlow, type Flow, type FlowProposal } from './flow.ts'
export { buildRules, deriveRulesState, loadPolicy } from './held-rules.ts'
export { listKnownCapabilities } from './known-capabilities.ts'
export { isSealed, openPresentFolder, sealKeys, unsealKeys } from './open-keys.ts'
export type { Act, Runtime, RuntimeOptions, RuntimePart, RuntimePlace } from './runtime.ts'
export {
  findPresentVouching,
  normaliseStorePlace,
  openStore,
  RubiconError,
  resolveStateDirectory,
  toTenantFileName,
  unwrap,
}

/** Where a store is when nobody says. */
export const DEFAULT_STORE = 'sqlite:./.rubicon/rubicon.db'

/** Makes a runtime. Its store is opened now; the engine starts with the first deploy or open. */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  checkExtensions(options)
  const policies = [...unwrap(await loadPolicies(options.policies ?? [], { sha256 }))]
  // Before the store is opened: what may not do what it would leaves nothing behind.
  const tools = options.tools === undefined ? [] : unwrap(await loadToolCapabilities(options.tools))
  const channelRules = await loadGivenChannelRules(options)
  const { tenant = 'default', store: address = DEFAULT_STORE, report = toStderr } = options
  const { topologies: rows, topics, sha256: hash = sha256 } = options
  const folder = options.stateDirectory ?? resolveStateDirectory(address)
  const keys = await openKeys(options, tenant, join(folder, 'keys'))
  const read = createStoreReader(address, tenant, options.clock)
  const vouching = await prepareVouching(options, keys.folder, report, read)
  const store = await openStore(address, tenant, options.clock, 'own', vouching)
  const artifacts = await openRuntimeArtifacts(options, store, folder, () => ensureEngine())
  const capabilities = [...(options.capabilities ?? []), ...tools, ...artifacts.capabilities]
  let started: Promise<Engine> | null = null
  let [running, closed]: [Engine | null, Promise<void> | null] = [null, null]
  const handlers = new Handlers<Flow>(report)
  const parts: RuntimePart[] = []
  const start = async (): Promise<Engine> => {
    const book = unwrap(buildRuleBook(capabilities, policies, hash, rows, topics))
    reportUnknownKinds(rows ?? [], capabilities, report)
    const place = { store, tenant, folder }
    const deps = buildDeps(options, place, book, await keys.signer(store), channelRules)
    running = await startEngine(createEngine(options, deps, handlers), store, options)
    return running
  }
  const ensureEngine = (): Promise<Engine> => {
    started ??= start()
    return started
  }
  const close = async (): Promise<void> => {
    await Promise.all(parts.map((part) => part.close()))
    const engine = started === null ? null : await started.catch(() => null)
    await (engine === null ? store.close() : engine.stop())
    await artifacts.close()
  }
  const assertNotStarted = (what: string): void => {
    if (started === null) return
    throw new Error(
      `${what} after the runtime had started: the rules are fixed by then. Do it before the first deploy, open or observe`,
    )
  }
  return {
    get engine() {
      if (running === null) throw new Error('the engine starts with the first deploy or open')
      return running
    },
    store,
    place: toPlace(options, { store: address, tenant, stateDirectory: folder }),
    report,
    keysFolder: keys.folder.path,
    start: ensureEngine,
    capability(capability) {
      assertNotStarted('a capability was registered')
      capabilities.push(capability)
    },
    async policy(policy) {
      assertNotStarted('a policy was registered')
      policies.push(await loadPolicy(policy))
    },
    ...bindEngineCalls(ensureEngine),
    on: (agent, handler) => handlers.setHandler(agent, handler),
    endWith: (part) => void parts.push(part),
    close() {
      closed ??= close()
      return closed
    },
  }
}

async function loadGivenChannelRules({ channels }: RuntimeOptions): Promise<ChannelRules> {
  return channels === undefined ? NO_CHANNEL_RULES : unwrap(await loadChannelRules(channels))
}

function toPlace(
  options: RuntimeOptions,
  place: Omit<Runtime['place'], 'hasPlainKeys' | 'artifacts'>,
): Runtime['place'] {
  const artifacts = findBlobs(options, place.stateDirectory)
  return { ...place, hasPlainKeys: hasPlainKeys(options), artifacts }
}

/** Tools that are data, as capabilities: the path of a tools file, from the folder, or what stands in one. */
export async function loadToolCapabilities(
  tools: string | JsonObject,
  folder?: string,
): Promise<Result<readonly Capability[], Failure>> {
  const loaded = await loadTools(tools, folder)
  if (!loaded.ok) return loaded
  const { manifests, hands } = loaded.value
  return ok(manifests.map((manifest) => toCapability(manifest, hands)))
}

type Asked =
  | 'rules'
  | 'deploy'
  | 'monitor'
  | 'person'
  | 'open'
  | 'resume'
  | 'act'
  | 'actOnce'
  | 'observe'
  | 'artifact'

/** What starts the engine if nothing has. */
function bindEngineCalls(engine: () => Promise<Engine>): Pick<Runtime, Asked> {
  return {
    rules: async () => unwrap(await (await engine()).oversight.rules()),
    async deploy(contract) {
      return unwrap(await (await engine()).deploy(unwrap(await loadContract(contract))))
    },
    async monitor(monitor) {
      const { oversight } = await engine()
      return unwrap(await oversight.deployMonitor(unwrap(await loadMonitor(monitor))))
    },
    async person(name) {
      return unwrap(await (await engine()).people.meet(name))
    },
    async open(request) {
      return openAgentFlow(await engine(), request)
    },
    async resume(dfid, options) {
      const running = await engine()
      return createFlow(running, {
        flow: { dfid },
        working: unwrap(await running.contextStore.refresh(dfid, options)),
      })
    },
    async act(request, options) {
      const running = await engine()
      const { opened, answer } = unwrap(await running.act(request, options))
      const { context: working = opened.working } = answer
      return { answer, flow: createFlow(running, { flow: opened.flow, working }) }
    },
    async actOnce(request, names, options) {
      return unwrap(await (await engine()).calls.act(request, names, options))
    },
    async observe(input) {
      return unwrap(await (await engine()).contextStore.observe(input))
    },
    async artifact(artifact, options) {
      return unwrap(await (await engine()).contextStore.putArtifact(artifact, options))
    },
  }
}

function createEngine(options: RuntimeOptions, deps: Deps, handlers: Handlers<Flow>): Engine {
  const { background = true, executors = 'inline', people = [], proposalsInFlight } = options
  const { strict_semantic_blocking: isStrict = false, report = toStderr } = options
  if (isStrict) report(STRICT_WARNING)
  const engine: Engine = new Engine(deps, {
    ...{ background, executors, people, handlers },
    ...(proposalsInFlight === undefined ? {} : { proposalsInFlight }),
    opened: (opened) => void handlers.runHandler(opened.flow.agent_id, createFlow(engine, opened)),
  })
  return engine
}

/** Whoever started the process reads what the engine found. */
async function startEngine(
  engine: Engine,
  { time }: Store,
  { agreeing, report = toStderr }: RuntimeOptions,
): Promise<Engine> {
  const started = unwrap(await engine.start())
  for (const line of formatStartLines(started, time.findSkew(), agreeing)) report(line)
  return engine
}

/**
 * An engine for operators: it changes authority and nothing else. It holds no capabilities, so it
 * records no rules, takes over no effects and settles none; a runtime that has them does.
 */
export async function createOperator(
  options: RuntimeOptions = {},
  mode: 'own' | 'read' = 'own',
  /** Who only reads takes rows as they are, unless something is given that vouches for them. */
  given: RowVouching = {},
): Promise<Engine> {
  const { tenant = 'default', store: address = DEFAULT_STORE, report = toStderr } = options
  const folder = options.stateDirectory ?? resolveStateDirectory(address)
  const read = createStoreReader(address, tenant, options.clock)
  const path = join(folder, 'keys')
  const own = mode === 'own' ? await openKeys(options, tenant, path) : null
  const keys = own ?? (await openPresentKeys(options, tenant, path))
  const vouching = own === null ? given : await prepareVouching(options, own.folder, report, read)
  const store = await openStore(address, tenant, options.clock, mode, vouching)
  try {
    const book = unwrap(buildRuleBook([], [], sha256))
    const place = { store, tenant, folder }
    const deps = buildDeps(options, place, book, await keys.signer(store), NO_CHANNEL_RULES)
    // What channels may reach is said to a server, and to nobody else.
    const { messenger: _, ...alone } = deps
    return new Engine(alone, { background: false })
  } catch (error) {
    await store.close()
    throw error
  }
}
