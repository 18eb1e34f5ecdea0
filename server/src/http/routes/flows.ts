/** Flows: opened and fed by their agents, read by people. */
import { assert, type JsonObject, type JsonValue, LIMITS, type SignedAtom } from 'rubicon-kernel'
import type { GrammarRequest } from 'rubicon-runtime/engine/context'
import type { FlowOutcome, OfferedTool, OpenRequest } from 'rubicon-runtime/engine/flow'
import type { OpenedFlow } from 'rubicon-runtime/engine/rows'
import { pickSession } from '../agent-auth/session-of.ts'
import { createLookupHandler } from '../lookups/lookup.ts'
import { toProblemReply } from '../problems/problem.ts'
import { answer } from '../schemas/answer.ts'
import { decisionAtom } from '../schemas/atom.ts'
import { FLOW_STATES, FLOW_TAGS, flowSummary, flowTree, wholeFlow } from '../schemas/flow.ts'
import { grammarRequest, grammarSchema } from '../schemas/grammar.ts'
import { proposalSchema } from '../schemas/policy-schema.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import { buildSearchedPageSchema, searchFilter } from '../schemas/search.ts'
import {
  boolean,
  buildArray,
  buildClosedObject,
  buildEnum,
  buildWholeObject,
  buildWordListSchema,
  cursor,
  identifier,
  instant,
  limit,
  listOf,
  nameSchema,
  open,
  string,
  text,
} from '../schemas/shape.ts'
import { workingContext } from '../schemas/working-context.ts'
import { answerReply } from '../views/answer-reply.ts'

const opening = buildClosedObject(
  {
    agent: identifier,
    trigger: text(LIMITS.noteLength),
    steps: buildEnum('one', 'many'),
    trajectory: identifier,
    parent: identifier,
    budget: { type: 'object', additionalProperties: { type: 'string', maxLength: 64 } },
    state: listOf(text(256), LIMITS.contextStatePaths),
    world: listOf(
      buildClosedObject({ kind: identifier, id: text(LIMITS.resourceIdLength) }, ['kind', 'id']),
      LIMITS.contextStatePaths,
    ),
    // Refused by the engine, which says why.
    dfid: {},
  },
  ['trigger'],
)

const filter = buildClosedObject({
  state: buildWordListSchema(...FLOW_STATES),
  agent: identifier,
  parent: identifier,
  tag: buildEnum(...FLOW_TAGS),
  ...searchFilter,
  // Of the agent that is named: two agents may use one name.
  conversation: identifier,
  // By the moment in its dfid, which is when somebody asked for it.
  since: instant,
  until: instant,
  cursor,
  limit,
})

const waitSchema: JsonObject = { type: 'string', pattern: '^[0-9]{1,5}$' }

const offeredTool = nameSchema(
  'OfferedTool',
  buildWholeObject<OfferedTool>(
    {
      kind: string,
      version: string,
      summary: string,
      params: open,
      reversible: boolean,
      risk: buildEnum('low', 'medium', 'high', 'critical'),
    },
    ['summary'],
  ),
)

export function createFlowRoutes(parts: RouteParts): readonly Route[] {
  return [...createFlowListRoutes(parts), ...createDecisionRoutes(parts)]
}

/** Opened, and shown. */
function createFlowListRoutes({ engine, lookups }: RouteParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/flows',
      operation: 'openFlow',
      summary: 'open a flow for the agent of the session',
      roles: ['agent'],
      body: opening,
      once: 'claims',
      reply: buildWholeObject({ dfid: string, context: workingContext, atom: decisionAtom }, [
        'atom',
      ]),
      status: 201,
      async handle(asked) {
        const { claim } = asked
        assert(claim !== undefined, 'a route that claims its key is handed the claim')
        const opened = await engine.open(
          { ...parseOpening(asked), ...pickSession(asked.principal) },
          (_, prepared) => claim.buildAnsweredClaim(toOpenedReply(prepared)),
        )
        if (!opened.ok) return toProblemReply(opened.error)
        const atom = await engine.atoms.createForOpening(opened.value)
        return toOpenedReply(opened.value, atom)
      },
    },
    {
      method: 'GET',
      path: '/v1/flows',
      operation: 'listFlows',
      summary: 'flows, newest first; agents see their own',
      roles: ['operator', 'approver', 'auditor', 'agent'],
      query: filter,
      reply: buildSearchedPageSchema('flows', flowSummary),
      handle: createLookupHandler(lookups, 'listFlows'),
    },
    {
      method: 'GET',
      path: '/v1/flows/:dfid',
      operation: 'getFlow',
      summary: 'a flow from trigger to outcome',
      roles: ['operator', 'approver', 'auditor', 'agent'],
      reply: wholeFlow,
      handle: createLookupHandler(lookups, 'getFlow'),
    },
    {
      method: 'GET',
      path: '/v1/flows/:dfid/tree',
      operation: 'getFlowTree',
      summary: 'the flows above a flow, and those opened in it, newest first',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({ cursor, limit }),
      reply: flowTree,
      handle: createLookupHandler(lookups, 'getFlowTree'),
    },
  ]
}

/** What its agent may propose, proposes, and hears of it. */
function createDecisionRoutes({ engine }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/flows/:dfid/outcome',
      operation: 'getOutcome',
      summary:
        'what became of the last proposal; waits up to `wait_ms` while somebody else has to act',
      roles: ['agent'],
      query: buildClosedObject({ wait_ms: waitSchema }),
      reply: buildWholeObject<FlowOutcome>({ settled: boolean, answer }, ['answer']),
      async handle({ principal, params, query, ended }) {
        const waitMs = Math.min(LIMITS.waitMs, Number(query.wait_ms ?? 0))
        const options = { ...pickSession(principal), waitMs }
        const outcome = await engine.contextStore.awaitOutcome(params.dfid ?? '', options)
        if (!outcome.ok) return toProblemReply(outcome.error)
        // It may have waited: whose session ended meanwhile is told nothing more.
        return (await ended()) ?? toReply(outcome.value)
      },
    },
    {
      method: 'GET',
      path: '/v1/flows/:dfid/tools',
      operation: 'listTools',
      summary: 'what may be proposed: what contract, writ and registry all admit, with parameters',
      roles: ['agent'],
      reply: buildWholeObject({ tools: buildArray(offeredTool) }),
      async handle({ principal, params }) {
        const tools = await engine.contextStore.listTools(params.dfid ?? '', pickSession(principal))
        return tools.ok ? toReply({ tools: tools.value }) : toProblemReply(tools.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/grammar',
      operation: 'getGrammar',
      summary: 'what a model may write for these kinds: contract, writ and schema, as one grammar',
      roles: ['agent'],
      body: grammarRequest,
      reply: grammarSchema,
      async handle({ principal, params, body }) {
        const session = pickSession(principal)
        const request = parseGrammarRequest(body)
        const built = await engine.contextStore.buildGrammar(params.dfid ?? '', request, session)
        return built.ok ? toReply({ ...built.value }) : toProblemReply(built.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/proposals',
      operation: 'propose',
      summary: 'propose; every verdict is answered with 200',
      roles: ['agent'],
      query: buildClosedObject({ wait_ms: waitSchema }),
      body: 'bytes',
      written: proposalSchema,
      reply: answer,
      async handle({ principal, params, query, bytes }) {
        const waitMs = Math.min(LIMITS.waitMs, Number(query.wait_ms ?? LIMITS.waitMs))
        const options = { ...pickSession(principal), waitMs }
        return answerReply(await engine.propose(params.dfid ?? '', bytes, options))
      },
    },
  ]
}

/** As its schema says. */
function parseGrammarRequest(body: JsonValue): GrammarRequest {
  return body as GrammarRequest
}

/** Who asks again under the same key is told the opening, and asks for an atom itself. */
function toOpenedReply(
  { flow, working }: Pick<OpenedFlow, 'flow' | 'working'>,
  atom: SignedAtom | null = null,
): Reply {
  return toReply({ dfid: flow.dfid, context: working, ...(atom === null ? {} : { atom }) }, 201)
}

/** The agent of the session, unless the body names another; the engine refuses that one. */
function parseOpening({ principal, body }: RouteRequest): OpenRequest {
  const agent = principal.kind === 'agent' ? { agent: principal.agent_id } : {}
  return { ...agent, ...(body as object) } as OpenRequest
}
