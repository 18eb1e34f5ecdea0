/**
 * A model in the loop: it is given the context and the tools that contract, writ and registry admit; its calls become
 * proposals, and what came of them is told to it, until the flow is settled or nothing more may be tried.
 *
 * M1 a model reaches nothing but `propose` and the search of its flow; arguments are parameters and nothing else.
 * M2 every run ends: replies, calls of a reply, tokens, characters and time are bounded, and each end has its code.
 * M3 what cannot be read is told back and costs no proposal; what was refused is told back with its reason.
 * M4 what the model used is reported to the flow before anything is proposed on it.
 */
import { type JsonObject, shorten } from 'rubicon-kernel/canonical'
import { type AgentAnswer, isRevisable, isWaiting } from '../agent/agent-answer.ts'
import type { AgentConnection } from '../agent/agent-connection.ts'
import { AgentError } from '../agent/agent-error.ts'
import type { AgentFlow, FlowOpening, SettledWait } from '../agent/agent-flow.ts'
import type { AgentModel, ModelCall, ModelMessage, ModelReply } from './agent-model.ts'
import type { AgentRun, RunCall, RunEnd } from './agent-run.ts'
import { askModel, ModelStop } from './ask-model.ts'
import { MODEL_LIMITS } from './model-limits.ts'
import { buildContextText, buildSystemText } from './model-prompt.ts'
import {
  buildQueryProblem,
  buildToolSet,
  buildUnknownToolProblem,
  type CallProblem,
  parseArguments,
  SEARCH_TOOL,
  type ToolSet,
} from './model-tools.ts'

/** Who decides, in which flow, and how far it may go. */
export type RunOptions = {
  /** The model, or how it is made for the flow. */
  readonly model: AgentModel | ((flow: AgentFlow) => AgentModel)
  /** Opens the flow, where `flow` says how. */
  readonly agent?: AgentConnection
  /** One that is open, or how it is opened. */
  readonly flow: AgentFlow | FlowOpening
  /** `many`: the model ends the flow by calling nothing more. */
  readonly steps?: 'one' | 'many'
  /** How your agent works, behind mission and contract. */
  readonly instructions?: string
  /** Kinds that the model is offered, of those that are admitted; all but RETIRE when nobody says. */
  readonly kinds?: readonly string[]
  /** Replies at most. */
  readonly rounds?: number
  /** Tokens at most, input and output. */
  readonly tokens?: number
  /** Of one reply. */
  readonly maxTokens?: number
  /** How long one reply may take. */
  readonly replyMs?: number
  /** Waits for people and effects, until it is known what came of it. */
  readonly settled?: SettledWait
  /** Ends the run; what was proposed goes on. */
  readonly signal?: AbortSignal
  /** Told of each call and what came of it. */
  readonly onCall?: (call: RunCall) => void
}

/** Lets a model work on a flow until it is settled, or may go no further. */
export async function runAgent(options: RunOptions): Promise<AgentRun> {
  const flow = await openFlow(options)
  const steps = options.steps ?? ('trigger' in options.flow ? options.flow.steps : undefined)
  const tools = buildToolSet(await flow.listTools(), options.kinds)
  return new ModelRun({ ...options, steps: steps ?? 'one' }, flow, tools).run()
}

async function openFlow({ agent, flow }: RunOptions): Promise<AgentFlow> {
  if ('dfid' in flow) return flow
  if (agent !== undefined) return agent.open(flow)
  throw new AgentError({
    code: 'FLOW_UNKNOWN',
    summary: 'nobody can open the flow',
    fix: 'give `agent`, a connection, or a flow that is open',
  })
}

class ModelRun {
  readonly #options: RunOptions
  readonly #flow: AgentFlow
  readonly #tools: ToolSet
  readonly #model: AgentModel
  readonly #name = crypto.randomUUID()
  readonly #messages: ModelMessage[]
  readonly #calls: RunCall[] = []
  #rounds = 0
  #silent = 0
  #tokens = 0
  #text = ''
  #proposals = 0
  #last: AgentAnswer | null = null

  constructor(options: RunOptions, flow: AgentFlow, tools: ToolSet) {
    this.#options = options
    this.#flow = flow
    this.#tools = tools
    this.#model = typeof options.model === 'function' ? options.model(flow) : options.model
    this.#messages = [{ role: 'user', text: buildContextText(flow.context) }]
  }

  async run(): Promise<AgentRun> {
    const { rounds = MODEL_LIMITS.rounds } = this.#options
    let end: RunEnd | null = null
    try {
      while (end === null && this.#rounds < rounds) end = await this.#playRound()
    } catch (error) {
      if (!(error instanceof ModelStop)) throw error
      end = { kind: 'stopped', code: error.code, summary: error.message }
    }
    end ??= { kind: 'stopped', code: 'ROUNDS_EXHAUSTED', summary: `${rounds} replies, no end` }
    const { dfid } = this.#flow
    const [calls, tokens, text] = [this.#calls, this.#tokens, this.#text]
    return { dfid, end, calls, rounds: this.#rounds, tokens, text }
  }

  /** One reply, and its calls. Null: the model is asked again. */
  async #playRound(): Promise<RunEnd | null> {
    const reply = await this.#generate()
    this.#text = reply.text
    const { text, calls } = reply
    this.#messages.push({ role: 'assistant', text, ...(calls.length === 0 ? {} : { calls }) })
    if (calls.length === 0) return this.#endSilence()
    this.#silent = 0
    for (const call of calls) {
      const end = await this.#perform(call)
      if (end !== null) return end
    }
    return null
  }

  async #generate(): Promise<ModelReply> {
    const { instructions = '', tokens = MODEL_LIMITS.tokens } = this.#options
    const { maxTokens: max_tokens = MODEL_LIMITS.maxTokens } = this.#options
    if (this.#tokens + max_tokens > tokens)
      throw new ModelStop('TOKENS_EXHAUSTED', `${this.#tokens} of ${tokens} tokens are used`)
    const request = {
      system: buildSystemText(this.#flow.context, instructions),
      messages: [...this.#messages],
      tools: this.#tools.tools,
      max_tokens,
    }
    const { signal, replyMs = MODEL_LIMITS.replyMs } = this.#options
    this.#rounds += 1
    const { reply, used } = await askModel(this.#model, request, replyMs, signal)
    this.#tokens += used
    if (this.#model.metered !== true) await this.#report(used)
    return reply
  }

  async #report(tokens: number): Promise<void> {
    const report = `${this.#name}:${this.#rounds}`
    const { reason_code } = await this.#flow.usage({ tokens }, { report }).catch((error) => {
      // A flow that takes no report has ended, or ends nothing by it: nothing is proposed in it any more.
      throw error instanceof AgentError ? new ModelStop(error.code, error.message) : error
    })
    if (reason_code !== undefined)
      throw new ModelStop('COMPUTE_BUDGET_EXHAUSTED', 'the flow has used what it was granted')
  }

  /** In a flow of several steps it is how a model says that it is done. */
  async #endSilence(): Promise<RunEnd | null> {
    const answer = this.#last
    if (this.#options.steps === 'many' && answer !== null && isDone(answer)) {
      await this.#flow.close()
      return { kind: 'settled', answer }
    }
    this.#silent += 1
    if (this.#silent >= MODEL_LIMITS.silentRounds)
      throw new ModelStop('NO_TOOL_CALL', 'the model called nothing')
    this.#messages.push({ role: 'user', text: 'NO_TOOL_CALL: call a tool; text does nothing' })
    return null
  }

  async #perform(call: ModelCall): Promise<RunEnd | null> {
    const { tools, kinds } = this.#tools
    const given = parseArguments(call)
    const kind = kinds.get(call.name)
    if (call.name !== SEARCH_TOOL.name && kind === undefined)
      return this.#tellProblem(call, buildUnknownToolProblem(tools))
    if (!given.ok) return this.#tellProblem(call, given.error)
    if (kind === undefined) return this.#search(call, given.value)
    this.#proposals += 1
    const many = this.#options.steps === 'many' ? { step_id: `call-${this.#proposals}` } : {}
    const proposal = { policy_kind: kind, params: given.value, ...many }
    const first = await this.#flow.propose(proposal)
    const { settled } = this.#options
    const isAsking = isWaiting(first) || (isDone(first) && kind === 'ESCALATE')
    const isAwaited = isAsking && settled !== undefined
    const answer = isAwaited ? await this.#flow.settled(settled) : first
    this.#record(call, answer, 'reason_code' in answer ? answer.reason_code : null)
    this.#last = answer
    return isAsking && !isAwaited ? { kind: 'waiting', answer } : this.#toEnd(call, answer)
  }

  /** Null: the model is told, and has the next word. */
  #toEnd(call: ModelCall, answer: AgentAnswer): RunEnd | null {
    if (isWaiting(answer)) return { kind: 'waiting', answer }
    if (isDone(answer) && this.#options.steps !== 'many') return { kind: 'settled', answer }
    if (!isDone(answer) && !isRevisable(answer)) return { kind: 'refused', answer }
    this.#tell(call, describeAnswer(answer), !isDone(answer))
    if ('context' in answer && answer.context !== undefined)
      this.#messages.push({ role: 'user', text: buildContextText(answer.context) })
    return null
  }

  async #search(call: ModelCall, { query }: JsonObject): Promise<null> {
    if (typeof query !== 'string' || query === '')
      return this.#tellProblem(call, buildQueryProblem(call))
    try {
      const found = await this.#flow.search(query)
      this.#record(call, null, null)
      this.#tell(
        call,
        found.map(({ title, label, text }) => ({ title, label, text })),
        false,
      )
    } catch (error) {
      if (!(error instanceof AgentError)) throw error
      const { code, message, fix } = error
      this.#tellProblem(call, { code, summary: message, fix })
    }
    return null
  }

  #tellProblem(call: ModelCall, problem: CallProblem): null {
    this.#record(call, null, problem.code)
    this.#tell(call, problem, true)
    return null
  }

  #tell({ id, name }: ModelCall, said: object, failed: boolean): void {
    const text = shorten(JSON.stringify(said), MODEL_LIMITS.resultLength)
    this.#messages.push({ role: 'tool', call_id: id, name, text, ...(failed ? { failed } : {}) })
  }

  #record({ name }: ModelCall, answer: AgentAnswer | null, code: string | null): void {
    const call = { round: this.#rounds, name, answer, code }
    this.#calls.push(call)
    this.#options.onCall?.(call)
  }
}

function isDone({ outcome }: AgentAnswer): boolean {
  return outcome === 'ACCEPTED' || outcome === 'REPEATED'
}

function describeAnswer(answer: AgentAnswer): object {
  if (answer.outcome === 'ACCEPTED' || answer.outcome === 'REPEATED')
    return { outcome: answer.outcome, execution: answer.execution }
  const { outcome, reason_code, feedback } = answer
  return { outcome, reason_code, ...feedback }
}
