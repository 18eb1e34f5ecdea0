/** The engine: one per tenant and process. It owns what is remembered between calls. */
import {
  type Answer,
  type Contract,
  err,
  type Failure,
  isReasonCode,
  ok,
  type RestoreAnchor,
  type Result,
} from 'rubicon-kernel'
import { type StoredCheckpoint, StoreError } from '../ports/store.ts'
import { Atoms } from './atoms/engine-atoms.ts'
import { PersonRegistry } from './authority/persons/people.ts'
import { type Deployed, type DeployOptions, deployContract } from './authority/registry/deploy.ts'
import { Instances } from './authority/registry/engine-instances.ts'
import {
  type Handshake,
  type HandshakeRequest,
  performHandshake,
} from './authority/registry/handshake.ts'
import {
  type InSession,
  performForAgent,
  performForFlow,
  toFailureAnswer,
} from './authority/registry/in-session.ts'
import { type LifecycleMove, moveAgent, retireItself } from './authority/registry/lifecycle.ts'
import { type Killed, killAgent, type Revocation, revoke } from './authority/registry/revoke.ts'
import { type LiveSession, readSession } from './authority/registry/sessions.ts'
import { Background, type DueRun, reconcileAll, recoverAll, runDue } from './background.ts'
import { cancelFlow, closeFlow } from './close/end-flow.ts'
import { reportUsage, type Usage, type UsageAnswer, type UsageOptions } from './close/usage.ts'
import { checkZone } from './close/watchdog.ts'
import type { EngineOptions, EngineStatus, Started } from './create-context.ts'
import { createContext } from './create-context.ts'
import type { Acted, ActOptions, ActRequest } from './decide/act.ts'
import { Calls, performAct } from './decide/calls.ts'
import { type ProposeOptions, propose } from './decide/propose.ts'
import type { Deps } from './deps.ts'
import type { Context } from './engine-context.ts'
import { BusDesk } from './flow/engine-bus.ts'
import { Timers } from './flow/engine-timers.ts'
import { type BesideOpening, type OpenRequest, openFlow, toOpening } from './flow/open.ts'
import { awaitFlowSettled, type SettledOptions } from './flow/settled.ts'
import type { Generation, GenerationIo, GenerationRequest } from './generate/generate.ts'
import { generate } from './generate/generate.ts'
import type { ProposalInput } from './judge/receive.ts'
import { acceptRestore } from './ledger/accept-restore.ts'
import { Checkpoints } from './ledger/checkpoints.ts'
import { prepareStore } from './ledger/prepare-store.ts'
import type { ScrubProgress } from './ledger/scrub.ts'
import { EngineChannels } from './notices/engine-channels.ts'
import { ContextStore } from './observe/context-store.ts'
import { type CallRunner, Oversight } from './oversight.ts'
import type { RetireOptions } from './reserved-kinds/retire.ts'
import type { OpenedFlow } from './rows/opened-flow.ts'
import { toPassingFailure } from './rows/passing-failure.ts'

export class Engine {
  readonly context: Context
  /** What agents are shown: observations, notes, documents. */
  readonly contextStore: ContextStore
  /** What people see and decide by exception. */
  readonly oversight: Oversight
  readonly people: PersonRegistry
  /** Acts of clients that may ask for one thing twice. */
  readonly calls: Calls
  /** What is settled before an agent decides. */
  readonly atoms: Atoms
  /** Agents that are made of a class, for an occasion. */
  readonly instances: Instances
  /** Flows that the runtime opens by itself. */
  readonly timers: Timers
  /** Hints to agents and to other processes. */
  readonly bus: BusDesk
  /** Where people are told, as operators set it up. */
  readonly channels: EngineChannels
  readonly #background: Background | null
  readonly #checkpoints: Checkpoints

  constructor(deps: Deps, options: EngineOptions = {}) {
    this.context = createContext(deps, options)
    this.#checkpoints = new Checkpoints(this.context)
    const wake = (): void => this.#background?.wake()
    this.contextStore = new ContextStore(this.context, (work) => this.runAsked(work), wake)
    const runner: CallRunner = {
      runAsked: (work) => this.runAsked(work),
      runGuarded: (work) => this.#runGuarded(work),
    }
    this.oversight = new Oversight(this.context, runner)
    this.people = new PersonRegistry(this.context, runner, options.people)
    this.calls = new Calls(this.context, runner)
    this.atoms = new Atoms(this.context, runner)
    this.instances = new Instances(this.context, runner)
    this.timers = new Timers(this.context, runner, wake)
    this.bus = new BusDesk(this.context, runner, wake)
    this.channels = new EngineChannels(this.context, runner)
    this.#background = options.background === false ? null : new Background(this.context, this)
  }

  /** Prepares the store, refuses a rolled-back ledger, and takes over what a dead engine left. */
  async start(): Promise<Result<Started, Failure>> {
    return this.runAsked(() => this.#start())
  }

  async #start(): Promise<Result<Started, Failure>> {
    const ruled = await prepareStore(this.context)
    if (!ruled.ok) return ruled
    const met = await this.people.meetAll()
    if (!met.ok) return met
    const recovered = await recoverAll(this.context)
    this.#background?.start()
    await this.bus.start()
    return ok({ recovered, ...ruled.value })
  }

  /** Whether the registry answers; while it does not, agents that are known are served for a while. */
  get status(): EngineStatus {
    return {
      degraded: this.context.authorities.degraded,
      damaged: this.context.damage.isFound,
      scrub: this.context.scrub.progress,
      background: this.#background?.alive ?? false,
    }
  }

  open(
    request: OpenRequest & InSession,
    beside?: BesideOpening,
  ): Promise<Result<OpenedFlow, Failure>> {
    const { context } = this
    const by = { kind: request.session === undefined ? 'runtime' : 'session' } as const
    return this.runAsked(() =>
      performForAgent(context, request.agent, request, () =>
        openFlow(context, context.authorities, context.writs, toOpening(request, by), beside),
      ),
    )
  }

  /** Opens a flow and decides in it at once: one unit where `open` and `propose` are two. */
  act(request: ActRequest, options?: ActOptions): Promise<Result<Acted, Failure>> {
    return this.runAsked(() => performAct(this.context, request, options))
  }

  propose(dfid: string, input: ProposalInput, options?: ProposeOptions): Promise<Answer> {
    return this.#runGuarded(() => propose(this.context, dfid, input, options)).catch((error) => {
      const passing = toPassingFailure(error)
      // Who cannot sign judged nothing: there is no verdict to answer with.
      if (passing !== null && isReasonCode(passing.code)) return toFailureAnswer(dfid, passing)
      throw error
    })
  }

  /** Waits for whoever has to act before its agent can, and says what became of it. */
  settled(dfid: string, options: SettledOptions = {}): Promise<Result<Answer, Failure>> {
    const { signal } = options
    return this.#performInFlow(dfid, options, () => awaitFlowSettled(this.context, dfid, signal))
  }

  /** Ends a flow whose effects have not been sent. */
  cancel(dfid: string, reason: string, options: InSession = {}): Promise<Result<void, Failure>> {
    return this.#performInFlow(dfid, options, () => cancelFlow(this.context, dfid, reason))
  }

  /** Ends a flow of several steps, by its agent. */
  close(dfid: string, options: InSession = {}): Promise<Result<void, Failure>> {
    return this.#performInFlow(dfid, options, () => closeFlow(this.context, dfid))
  }

  /** What reasoning cost, by the agent's word. Past what was granted, the flow ends. */
  usage(
    dfid: string,
    used: Usage,
    options: UsageOptions = {},
  ): Promise<Result<UsageAnswer, Failure>> {
    const { report } = options
    return this.#performInFlow(dfid, options, () => reportUsage(this.context, dfid, used, report))
  }

  /** Asks a model for the agent of the flow, within their budgets and on the record. */
  generate(
    dfid: string,
    request: GenerationRequest,
    options: InSession & GenerationIo = {},
  ): Promise<Result<Generation, Failure>> {
    return this.#performInFlow(dfid, options, () => generate(this.context, dfid, request, options))
  }

  deploy(contract: Contract, options?: DeployOptions): Promise<Result<Deployed, Failure>> {
    const zoned = checkZone(this.context.zones, contract)
    if (!zoned.ok) return Promise.resolve(zoned)
    return this.runAsked(() => deployContract(this.context, contract, options))
  }

  /** Opens a session for a registered agent. The token is in the answer and nowhere else. */
  handshake(request: HandshakeRequest): Promise<Result<Handshake, Failure>> {
    return this.runAsked(() => performHandshake(this.context, request))
  }

  /** Whose session it is, if the token holds. */
  session(token: string): Promise<Result<LiveSession, Failure>> {
    return this.runAsked(() => readSession(this.context, token))
  }

  moveAgent(move: LifecycleMove): Promise<Result<void, Failure>> {
    return this.runAsked(() => moveAgent(this.context, move))
  }

  /** The only move that an agent may ask for itself. */
  requestRetire(agent: string, options: RetireOptions = {}): Promise<Result<void, Failure>> {
    const { context } = this
    return this.runAsked(() =>
      performForAgent(context, agent, options, () => retireItself(context, agent, options.reason)),
    )
  }

  revoke(target: Revocation): Promise<Result<{ readonly seq: number }, Failure>> {
    return this.runAsked(() => revoke(this.context, target))
  }

  /** The kill switch: an agent suspended and its contract revoked, in one unit. */
  kill(agent: string, reason: string, by?: string): Promise<Result<Killed, Failure>> {
    return this.runAsked(() => killAgent(this.context, agent, reason, by))
  }

  checkpoint(): Promise<StoredCheckpoint> {
    return this.#runGuarded(() => this.#checkpoints.sign())
  }

  acceptRestore(reason: string): Promise<Result<RestoreAnchor, Failure>> {
    return this.runAsked(() => acceptRestore(this.context, reason))
  }

  /** Reads a part of the ledger again; where it is not the one that was signed, nothing goes on. */
  scrub(): Promise<ScrubProgress> {
    return this.#runGuarded(() => this.context.scrub.round())
  }

  /** Carries out what was accepted, looks at uncertain effects that are due; returns how many of these. */
  reconcile(): Promise<number> {
    return this.#runGuarded(() => reconcileAll(this.context))
  }

  /** Opens flows that are due, and moves silent ones and requests on; returns how many of each. */
  runDue(): Promise<DueRun> {
    return this.#runGuarded(() => runDue(this.context))
  }

  /** Waits for what is on its way, signs a last checkpoint, and lets go of the store. */
  async stop(): Promise<void> {
    await Promise.all([this.bus.stop(), this.channels.stop(), this.#background?.stop()])
    await this.context.settling.finish()
    await this.context.generations.close()
    await this.context.inFlight.close()
    await this.context.advisers.stop()
    try {
      if (!this.context.damage.isFound) await this.#checkpoints.signLast()
    } finally {
      await this.context.store.close()
    }
  }

  #performInFlow<T>(
    dfid: string,
    options: InSession,
    work: () => Promise<Result<T, Failure>>,
  ): Promise<Result<T, Failure>> {
    return this.runAsked(() => performForFlow(this.context, dfid, options, work))
  }

  /** Whatever is asked of it: a registry that cannot be reached is a failure like any other. */
  async runAsked<T>(work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
    try {
      return await this.#runGuarded(work)
    } catch (error) {
      const failure = toPassingFailure(error)
      if (failure !== null) return err(failure)
      throw error
    }
  }

  /** After a failed transaction nothing that was cached can be relied on. */
  async #runGuarded<T>(work: () => Promise<T>): Promise<T> {
    const { authorities, damage } = this.context
    damage.assertNone()
    try {
      return await work()
    } catch (error) {
      if (error instanceof StoreError) authorities.drop()
      damage.keep(error)
      throw error
    }
  }
}
