/** A flow of an agent whose runtime is elsewhere. */
import type { SignedAtom } from 'rubicon-kernel/atom'
import type { JsonObject } from 'rubicon-kernel/canonical'
import type { WorkingContext } from 'rubicon-kernel/context'
import type { Grammar } from 'rubicon-kernel/grammar'
import { LIMITS } from 'rubicon-kernel/limits'
import type { Answer, ProofCarryingIntent } from 'rubicon-kernel/proposal'
import { type AgentAnswer, parseAgentAnswer } from '../agent/agent-answer.ts'
import { AgentError, toAgentError } from '../agent/agent-error.ts'
import type { AgentFlow, AgentProposal, SettledWait } from '../agent/agent-flow.ts'
import { checkWithin } from '../agent/check-within.ts'
import { createReservedSteps } from '../agent/reserved-steps.ts'
import type { AnyProblem, ClientAnswer } from '../call.ts'
import type { PolicyProposal, ProposalAnswer } from '../generated.ts'
import type { AgentWire } from './agent-wire.ts'

/** What is answered to whoever opens or takes up a flow. */
type OpenedReply = {
  readonly dfid: string
  readonly context: object
  readonly atom?: object
}

export function createHttpFlow(wire: AgentWire, { dfid, context, atom }: OpenedReply): AgentFlow {
  const params = { dfid }
  let shown = parseContext(wire, dfid, context)
  const propose: AgentFlow['propose'] = async (proposal, { waitMs, grammar } = {}) => {
    if (grammar !== undefined) checkWithin(grammar, proposal)
    // What the flow itself says is filled in there; what this agent was shown last only it can say.
    const body = await completeProposal(wire, shown, proposal)
    const query = waitMs === undefined ? {} : { query: { wait_ms: `${waitMs}` } }
    const asked = { params, body, ...query }
    const answer = assertOfFlow(
      dfid,
      readVerdict(await wire.ask((client) => client.propose(asked))),
    )
    if ('context' in answer && answer.context !== undefined)
      shown = parseContext(wire, dfid, answer.context)
    return answer
  }
  return {
    dfid,
    get context() {
      return shown
    },
    propose,
    ...createReservedSteps(propose),
    settled: (options) => awaitSettled(wire, dfid, options),
    note: async (text) => {
      await wire.perform((client) => client.addNote({ params, body: { text } }))
    },
    explain: (body) => wire.perform((client) => client.explain({ params, body })),
    async refresh({ state } = {}) {
      const body = state === undefined ? {} : { state }
      const fresh = await wire.perform((client) => client.refreshContext({ params, body }))
      shown = parseContext(wire, dfid, fresh)
      return shown
    },
    async listTools() {
      return (await wire.perform((client) => client.listTools({ params }))).tools
    },
    async loadGrammar(kinds) {
      return parseGrammar(
        await wire.perform((client) => client.getGrammar({ params, body: { kinds } })),
      )
    },
    async search(text) {
      const query = { q: text }
      return (await wire.perform((client) => client.searchArtifacts({ params, query }))).artifacts
    },
    usage: (used, options = {}) =>
      wire.perform((client) => client.reportUsage({ params, body: { used, ...options } })),
    atom: createAtomTaker(wire, dfid, atom),
    async cancel(reason) {
      await wire.perform((client) => client.cancelFlow({ params, body: { reason } }))
    },
    async close() {
      const key = crypto.randomUUID()
      await wire.perform((client) => client.closeFlow({ params, body: {}, key }))
    },
  }
}

const RETRY_LEAST_MS = 500
const RETRIES_MOST = 12

/**
 * Asked again and again, for as long as one request may wait. A runtime that does not answer, or has no room, is asked
 * again a little later: what is waited for goes on there.
 */
export async function awaitSettled(
  wire: AgentWire,
  dfid: string,
  { signal }: SettledWait = {},
): Promise<AgentAnswer> {
  const query = { wait_ms: `${LIMITS.waitMs}` }
  const asked = { params: { dfid }, query, ...(signal === undefined ? {} : { signal }) }
  for (let failures = 0; ; ) {
    signal?.throwIfAborted()
    const answer = await wire.ask((client) => client.getOutcome(asked))
    // The request was given up here: that is no word of the runtime.
    signal?.throwIfAborted()
    if (!answer.ok) {
      failures += 1
      if (!isPassing(answer.problem) || failures > RETRIES_MOST) throw toAgentError(answer.problem)
      await wire.wait(RETRY_LEAST_MS * 2 ** Math.min(failures, 5), signal)
      continue
    }
    failures = 0
    const { settled, answer: verdict } = answer.body
    if (settled && verdict !== undefined)
      return assertOfFlow(dfid, parseAgentAnswer(parseVerdict(verdict)))
  }
}

/** No room, or nobody there: 0 where no answer came at all. */
function isPassing({ status, code }: AnyProblem): boolean {
  return code === 'SERVER_UNREACHABLE' || status === 429 || status === 503
}

/** What was not judged comes as a problem with the answer in it, and is an answer all the same. */
export function readVerdict(answer: ClientAnswer<ProposalAnswer>): AgentAnswer {
  if (answer.ok) return parseAgentAnswer(parseVerdict(answer.body))
  const verdict = answer.problem.answer
  if (verdict === undefined) throw toAgentError(answer.problem)
  return parseAgentAnswer(parseVerdict(verdict))
}

/**
 * Where the contract asks for a signature, everything is said, and signed: nothing is filled in behind it. Where the rules
 * ask for proofs, the context says what they bind, and a proposal proves itself.
 */
async function completeProposal(
  wire: AgentWire,
  context: WorkingContext,
  proposal: AgentProposal,
): Promise<PolicyProposal | ProofCarryingIntent> {
  const { dfid, agent_id, snapshot_id, mission_context_hash, constraints, evidence } = context
  if (evidence !== undefined && !('signature' in proposal))
    return wire.proveIntent({ ...context, evidence }, parseDocument(proposal))
  const seen = { context_ref: snapshot_id, ...proposal }
  if (!constraints.safety_rules.requires_signature || 'signature' in proposal)
    return parseProposal(seen)
  const whole = parseDocument({ dfid, agent_id, mission_context_hash, ...seen })
  return parseProposal(await wire.signProposal(whole))
}

/** What it must be like is for the runtime to say. */
function parseProposal(proposal: object): PolicyProposal {
  return proposal as PolicyProposal
}

function parseDocument(proposal: object): JsonObject {
  return proposal as JsonObject
}

/** Its hash is an address, which the document has no type for. */
function parseGrammar(body: object): Grammar {
  return body as Grammar
}

/** The types are the document's, and every response of the test run is held against it. */
function parseVerdict(body: object): Answer {
  return body as unknown as Answer
}

/** What an agent is shown of another flow, or as another agent, is none of its own: it would sign for that one. */
function parseContext({ agent }: AgentWire, dfid: string, body: object): WorkingContext {
  const context = body as unknown as WorkingContext
  if (context.dfid === dfid && context.agent_id === agent) return context
  throw buildForeignAnswerError(dfid)
}

/** The one of the opening first, if nothing else is asked for. One that has ended is refused where it is used. */
function createAtomTaker(
  wire: AgentWire,
  dfid: string,
  opening: object | undefined,
): AgentFlow['atom'] {
  let first = opening === undefined ? null : parseAtom(wire, dfid, opening)
  return async (request) => {
    const held = first
    first = null
    if (held !== null && request === undefined) return held
    const asked = { params: { dfid }, body: request ?? {} }
    return parseAtom(wire, dfid, await wire.perform((client) => client.issueAtom(asked)))
  }
}

/** One of another flow or agent would be refused; it is not this flow's to name. */
function parseAtom({ agent }: AgentWire, dfid: string, body: object): SignedAtom {
  const atom = body as SignedAtom
  if (atom.dfid === dfid && atom.agent_id === agent) return atom
  throw buildForeignAnswerError(dfid)
}

function assertOfFlow(dfid: string, answer: AgentAnswer): AgentAnswer {
  if (answer.dfid === dfid) return answer
  throw buildForeignAnswerError(dfid)
}

function buildForeignAnswerError(dfid: string): AgentError {
  return new AgentError({
    code: 'ANSWER_UNREADABLE',
    summary: `what was answered about flow \`${dfid}\` is about another one, or for another agent`,
    fix: 'check that the address is that of the runtime, and that nothing between answers in its place',
  })
}
