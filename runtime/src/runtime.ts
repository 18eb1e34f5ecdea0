/** A runtime, as its users configure and hold it. */
import type {
  Answer,
  Contract,
  JsonObject,
  Monitor,
  Sha256,
  TopicRow,
  TopologyRow,
} from 'rubicon-kernel'
import type { RuntimeArtifacts } from './artifacts/options.ts'
import type { InSession } from './engine/authority/registry/in-session.ts'
import type { RulesState } from './engine/authority/registry/record-rules.ts'
import type { Agreeing } from './engine/authority/rules/rules-lines.ts'
import type { Artifact, Indexed } from './engine/context/artifact.ts'
import type { ArtifactOptions } from './engine/context/artifacts.ts'
import type { ActRequest } from './engine/decide/act.ts'
import type { ActedOnce } from './engine/decide/act-once.ts'
import type { ProposeOptions } from './engine/decide/propose.ts'
import type { RulesAcceptance } from './engine/deps.ts'
import type { Engine } from './engine/engine.ts'
import type { Executors } from './engine/engine-context.ts'
import type { Handler } from './engine/flow/agent-handlers.ts'
import type { CallNames } from './engine/flow/call-claims.ts'
import type { OpenRequest } from './engine/flow/open.ts'
import type { DeployedMonitorAnswer } from './engine/monitors/deploy-monitor.ts'
import type { Observation, Observed } from './engine/observe/observe.ts'
import type { ExtensionOptions } from './extension-options.ts'
import type { Flow } from './flow.ts'
import type { PolicyForm } from './policies/policy-form.ts'
import type { Bus } from './ports/bus.ts'
import type { Capability } from './ports/capability.ts'
import type { CheckpointSink } from './ports/checkpoint-sink.ts'
import type { Clock } from './ports/clock.ts'
import type { DeclaredSource } from './ports/fact-source.ts'
import type { Failpoints } from './ports/failpoint.ts'
import type { ManifestSource } from './ports/manifest-source.ts'
import type { Random } from './ports/random.ts'
import type { SignatureChecker, Signer } from './ports/signer.ts'
import type { Store } from './ports/store.ts'
import type { LoadTokenizer } from './ports/tokenizer.ts'
import type { Zones } from './ports/zones.ts'

/** How a runtime is set up. All of it may be left out: then it is on SQLite in `.rubicon`, with keys of its own. */
export type RuntimeOptions = ExtensionOptions & {
  /** `sqlite:PATH`, `postgres://user:password@host:port/database` or `memory`. */
  readonly store?: string
  /** The tenant whose ledger it is; `default` when nobody says. */
  readonly tenant?: string
  /** What signatures of agents must be made for; `rubicon` when nobody says. */
  readonly audience?: string
  /** Where keys and checkpoints are kept; not the store's folder. */
  readonly stateDirectory?: string
  /** Who may say what is so; see `DeclaredSource`. Registered when the engine starts. */
  readonly sources?: readonly DeclaredSource[]
  /** A registry elsewhere; without one, agents are registered in the store. */
  readonly manifest?: ManifestSource
  /** People for whom this process vouches: they may decide under these names. */
  readonly people?: readonly string[]
  /** In any form: paths of `.cedar` and TypeScript files, Cedar text, objects with `evaluate`. */
  readonly policies?: readonly PolicyForm[]
  /** Which decisions have to carry a proof; see `TopologyRow`. */
  readonly topologies?: readonly TopologyRow[]
  /** What holds for events about which paths of State; see `TopicRow`. */
  readonly topics?: readonly TopicRow[]
  /** Carries hints between processes; in this process alone, when it is left out. */
  readonly bus?: Bus
  /** What agents may ask for; see `Capability`. */
  readonly capabilities?: readonly Capability[]
  /**
   * Tools that are data: the path of a tools file, or what stands in one. It names manifests, and says what they
   * may reach, start and use.
   */
  readonly tools?: string | JsonObject
  /** Artifacts of a project, and the kinds by which agents change them; see `RuntimeArtifacts`. */
  readonly artifacts?: RuntimeArtifacts
  /**
   * The change of rules that is agreed to, by the hash that was printed for it. `any-in-development`
   * agrees to whatever comes. Without it, rules other than the recorded ones decide nothing.
   */
  readonly acceptRules?: string | RulesAcceptance
  /** How whoever starts this process agrees, where it is not by `acceptRules` in code. */
  readonly agreeing?: Agreeing
  /** Where signed checkpoints are also put, outside of the store. */
  readonly sinks?: readonly CheckpointSink[]
  /** In place of the clock of the machine. */
  readonly clock?: Clock
  /** For rehearsals: ids and salts that can be foreseen protect nothing. */
  readonly random?: Random
  /** For tests: where the process is to fail. */
  readonly failpoints?: Failpoints
  /** A key manager, instead of key files in the state directory. */
  readonly signer?: Signer
  /** The socket of an SSH agent that holds the keys, each with the comment `rubicon/TENANT/PURPOSE`. */
  readonly keyAgent?: string
  /** What the key files are sealed under. Without it they lie as they are, for their owner alone. */
  readonly passphrase?: string
  /** 32 secret bytes that all processes of a store share, in place of `rows.key` beside the keys. */
  readonly rowKey?: Uint8Array
  /** In place of the one that checks signatures in a pool of threads. */
  readonly checker?: SignatureChecker
  /** In place of that of Node. */
  readonly sha256?: Sha256
  /** False: the caller drives reconciliation and checkpoints. */
  readonly background?: boolean
  /** Who carries out what was decided; see `Executors`. */
  readonly executors?: Executors
  /** Beyond so many at once, proposals are answered OVERLOADED. */
  readonly proposalsInFlight?: number
  /** In place of the time zones of the machine. */
  readonly zones?: Zones
  /** How tokens are counted; a change of it changes what agents are shown. */
  readonly tokenizer?: LoadTokenizer
  /** The most that an agent is shown, in tokens. */
  readonly contextTokens?: number
  /** Where a handler that failed is told of; stderr when nobody says. */
  readonly report?: (line: string) => void
}

/** What became of an act, and the flow that it was decided in. */
export type Act = {
  /** What the proposal came to. */
  readonly answer: Answer
  /** The flow, for what comes after it. */
  readonly flow: Flow
}

/** Where a runtime is, with what nobody said filled in. */
export type RuntimePlace = {
  /** The address of its store. */
  readonly store: string
  /** The tenant whose ledger it is. */
  readonly tenant: string
  /** With its keys and checkpoints. */
  readonly stateDirectory: string
  /** Whoever reads that folder can sign: no passphrase seals the keys, and no agent or signer elsewhere holds them. */
  readonly hasPlainKeys: boolean
  /** Where the contents of its artifacts lie: a folder, or a store of blobs; null: it has no artifacts. */
  readonly artifacts: NonNullable<RuntimeArtifacts['blobs']> | null
}

/** What ends with a runtime, such as its server. */
export type RuntimePart = {
  /** Resolves once nothing of it asks the runtime any more. */
  close(): Promise<void>
}

/** A runtime in this process: it deploys contracts, opens flows, and ends with `close`. */
export type Runtime = {
  /** What decides and carries out, for whoever builds a server or a tool around it. */
  readonly engine: Engine
  /** Where its ledger and its rows are. */
  readonly store: Store
  /** For what works beside it on the same store, such as a server. */
  readonly place: RuntimePlace
  /** The folder of its key files. */
  readonly keysFolder: string
  /** Where it tells what nobody asked about. */
  report(line: string): void
  /** Adds a capability; before the first flow is opened, since the law is fixed afterwards. */
  capability(capability: Capability): void
  /** Starts the engine now instead of with the first deploy or open. */
  start(): Promise<Engine>
  /** What this process holds against the rules that are recorded as in force. */
  rules(): Promise<RulesState>
  /** One more policy, in any form. */
  policy(policy: PolicyForm): Promise<void>
  /** Puts a contract into force: as an object, or the path of a YAML file. */
  deploy(contract: string | JsonObject | Contract): Promise<{ agent_id: string; version: string }>
  /** A monitor, or the path of a YAML file that holds one. */
  monitor(monitor: string | JsonObject | Monitor): Promise<DeployedMonitorAnswer>
  /** Opens a flow of an agent, with the context that it decides on. */
  open(request: OpenRequest & InSession): Promise<Flow>
  /**
   * A flow that was opened before, by whomever, and is its agent's to go on with: with a new context. `agent`: the one that
   * it has to be of.
   */
  resume(dfid: string, options?: Pick<InSession, 'agent'>): Promise<Flow>
  /** Opens a flow and decides in it at once, on the facts that the agent says it saw. */
  act(request: ActRequest, options?: ProposeOptions): Promise<Act>
  /** The same, for whoever may ask for one thing twice: what was asked for before is answered with what became of it. */
  actOnce(request: ActRequest, names: CallNames, options?: ProposeOptions): Promise<ActedOnce>
  /** Says what is so outside: as the declared source that is named, else as an operator, for a while. */
  observe(input: Observation | readonly Observation[]): Promise<readonly Observed[]>
  /** Puts a reference document where agents find it, in place of one of the same name. */
  artifact(artifact: Artifact, options?: ArtifactOptions): Promise<Indexed>
  /** Somebody for whom this process vouches, by name: from then on they may decide under it. */
  person(name: string): Promise<{ readonly person_id: string }>
  /** The agent in process: gets every flow that a timer or an event opens for it. */
  on(agent: string, handler: Handler<Flow>): void
  /** Ends with the runtime, before its engine stops: whatever asks it. */
  endWith(part: RuntimePart): void
  /** Ends it: what is under way is finished first. */
  close(): Promise<void>
}
