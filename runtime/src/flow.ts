/** A flow as the code of an agent holds it. */
import {
  type Answer,
  type ArtifactRef,
  type EscalationDecision,
  formatInstant,
  type Grammar,
  type InstanceUntil,
  type JsonObject,
  type ProofCarryingIntent,
  type SignedAtom,
  type WorkingContext,
} from 'rubicon-kernel'
import type { AtomRequest } from './engine/atoms/issue-atom.ts'
import type { Usage, UsageAnswer, UsageOptions } from './engine/close/usage.ts'
import type { Explained, FlowExplanation } from './engine/context/explain.ts'
import type { RefreshRequest } from './engine/context/refresh.ts'
import type { ProposeOptions } from './engine/decide/propose.ts'
import type { Engine } from './engine/engine.ts'
import type { OfferedTool } from './engine/flow/offered-tools.ts'
import type { OpenRequest } from './engine/flow/open.ts'
import type { SettledOptions } from './engine/flow/settled.ts'
import type { Generation, GenerationIo, GenerationRequest } from './engine/generate/generate.ts'
import type { OpenedFlow } from './engine/rows/opened-flow.ts'
import { unwrap } from './rubicon-error.ts'

/** Everything that an agent can do is propose; besides that it may look, and say what it thinks. */
export type Flow = {
  /** Its name, minted by the runtime. */
  readonly dfid: string
  /** What the agent was shown last: at the opening, with a refusal, or when it looked again. */
  readonly context: WorkingContext
  /** Judges a proposal, and carries out what is accepted. A refusal is an answer. */
  propose(proposal: FlowProposal | ProofCarryingIntent, options?: ProposeOptions): Promise<Answer>
  /** After ESCALATED or PENDING: waits, and says what became of it. */
  settled(options?: SettledOptions): Promise<Answer>
  /** Adds the agent's own words to the session. They end with the flow. */
  note(text: string): Promise<void>
  /** Says how the agent sees it, for people; a proposal refers to it by `explain_ref`. */
  explain(explanation: FlowExplanation): Promise<Explained>
  /** Looks again. The next proposal refers to what is seen then. */
  refresh(request?: RefreshRequest): Promise<WorkingContext>
  /** What may be proposed here: what contract, writ and registry all admit, with the schemas of parameters. */
  listTools(): Promise<readonly OfferedTool[]>
  /** What may be written for these kinds: contract ∩ writ ∩ schema, on the State that was shown. */
  loadGrammar(kinds: readonly string[]): Promise<Grammar>
  /** Looks into the reference documents; that it did is noted in the session. */
  search(text: string): Promise<readonly ArtifactRef[]>
  /** What reasoning cost since the last report. It is an estimate, and it is counted. */
  usage(used: Usage, options?: UsageOptions): Promise<UsageAnswer>
  /** Asks a model, within the budgets of flow and agent and on the record. */
  generate(request: GenerationRequest, io?: GenerationIo): Promise<Generation>
  /** Settles what is known of the next decision; a proposal names it by `atom_id`, within a minute and once. */
  readonly atom: (request?: AtomRequest) => Promise<SignedAtom>
  /** Opens a flow for another agent, inside the authority of this one; its dfid is in the result. */
  spawn(request: SpawnChild, options?: StepOptions): Promise<Answer>
  /** Makes an instance of itself, or of an agent below, which ends with a flow or at a time. */
  spawnInstance(request: SpawnInstance, options?: StepOptions): Promise<Answer>
  /** Decides what an agent below has asked. */
  resolveEscalation(
    id: string,
    decision: EscalationDecision,
    options?: StepOptions,
  ): Promise<Answer>
  /** Chooses from the menu what is done about a flow that did half of its job. */
  compensate(dfid: string, action: string, options?: StepOptions): Promise<Answer>
  /** Asks for a person; the flow waits for one. */
  escalate(reason: string, options?: StepOptions): Promise<Answer>
  /** Ends the agent itself, for good. */
  requestRetire(reason: string, options?: StepOptions): Promise<Answer>
  /** Ends a flow of which nothing was sent. */
  cancel(reason: string): Promise<void>
  /** Ends a flow of several steps. */
  close(): Promise<void>
}

export type SpawnInstance = {
  readonly class: string
  readonly instance_id: string
  /** A merge patch on the contract of the class. */
  readonly narrowing?: JsonObject
  readonly until: InstanceUntil
}

export type SpawnChild = Omit<OpenRequest, 'parent' | 'dfid'>

/** A step is done once: whoever does the same kind of thing twice names the steps. */
export type StepOptions = ProposeOptions & { readonly step_id?: string }

/** Members that identify the flow and its context are filled in; given ones are kept as they are. */
export type FlowProposal = {
  /** Of the capability that is wanted. */
  readonly policy_kind: string
  /** What it is called with; its schema is the capability's. */
  readonly params?: object
} & Readonly<Record<string, unknown>>

/** What is known of a flow by whoever goes on with it. */
export type FlowInHand = Pick<OpenedFlow, 'working'> & {
  readonly flow: { readonly dfid: string }
  /** Issued with the opening. */
  readonly atom?: SignedAtom | null
}

export function createFlow(engine: Engine, { flow, working, atom = null }: FlowInHand): Flow {
  const { dfid } = flow
  const { contextStore } = engine
  let shown = working
  const propose: Flow['propose'] = async (proposal, options) => {
    // What the flow itself says is filled in; what this agent was shown last only it can say.
    const context_ref = shown.snapshot_id
    const answer = await engine.propose(dfid, { context_ref, ...proposal }, options)
    shown = answer.context ?? shown
    return answer
  }
  return {
    dfid,
    get context() {
      return shown
    },
    propose,
    ...createReservedSteps(propose),
    settled: async (options) => unwrap(await engine.settled(dfid, options)),
    async note(text) {
      unwrap(await contextStore.note(dfid, { text }))
    },
    explain: async (explanation) => unwrap(await contextStore.explain(dfid, explanation)),
    async refresh(request) {
      shown = unwrap(await contextStore.refresh(dfid, request))
      return shown
    },
    listTools: async () => unwrap(await contextStore.listTools(dfid)),
    loadGrammar: async (kinds) => unwrap(await contextStore.buildGrammar(dfid, { kinds })),
    search: async (text) => unwrap(await contextStore.searchArtifacts(text, { dfid })),
    usage: async (used, options) => unwrap(await engine.usage(dfid, used, options)),
    generate: async (request, io) => unwrap(await engine.generate(dfid, request, io)),
    atom: createAtomTaker(engine, dfid, atom),
    async cancel(reason) {
      unwrap(await engine.cancel(dfid, reason))
    },
    async close() {
      unwrap(await engine.close(dfid))
    },
  }
}

/** The one of the opening first, as long as it lasts and nothing else is asked for. */
function createAtomTaker(engine: Engine, dfid: string, opening: SignedAtom | null): Flow['atom'] {
  let first = opening
  return async (request) => {
    const held = first
    first = null
    const isOpen = held !== null && held.expires_at > formatInstant(engine.context.clock.now())
    if (isOpen && request === undefined) return held
    return unwrap(await engine.atoms.issue(dfid, request))
  }
}

/** Opened by its agent, with an atom where the rules ask for one. */
export async function openAgentFlow(
  engine: Engine,
  request: Parameters<Engine['open']>[0],
): Promise<Flow> {
  const opened = unwrap(await engine.open(request))
  return createFlow(engine, { ...opened, atom: await engine.atoms.createForOpening(opened) })
}

type Reserved =
  | 'spawn'
  | 'spawnInstance'
  | 'resolveEscalation'
  | 'compensate'
  | 'escalate'
  | 'requestRetire'

/** The reserved kinds, which are proposals like any other. */
function createReservedSteps(propose: Flow['propose']): Pick<Flow, Reserved> {
  const step = (
    policy_kind: string,
    named: string,
    params: object,
    { step_id = named, ...options }: StepOptions = {},
  ): Promise<Answer> => propose({ policy_kind, step_id, params }, options)
  return {
    spawn: (request, options) => step('SPAWN_CHILD', 'spawn', request, options),
    spawnInstance: (request, options) =>
      step('SPAWN_INSTANCE', `spawn:${request.instance_id}`, request, options),
    resolveEscalation: (request_id, decision, options) =>
      step('RESOLVE_ESCALATION', 'resolve', { request_id, ...decision }, options),
    compensate: (dfid, action, options) =>
      step('COMPENSATE', `compensate:${dfid}`, { dfid, action }, options),
    escalate: (reason, options) => step('ESCALATE', 'escalate', { reason }, options),
    requestRetire: (reason, options) => step('RETIRE', 'retire', { reason }, options),
  }
}
