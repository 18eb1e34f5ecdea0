/** Flows: opened and fed by their agents, read by people. */
import { dfidFrom, LIMITS, ok, type Result } from 'rubicon-kernel'
import { flowBudget } from '../../engine/flow-budget.ts'
import type { OpenRequest } from '../../engine/open.ts'
import type { FlowFilter, FlowRow, Store } from '../../ports/store.ts'
import { answerReply } from '../answer-reply.ts'
import { entryView } from '../entry-view.ts'
import { pageOf, parseCursor, parseMoment } from '../list-page.ts'
import { policySchema } from '../policy-schema.ts'
import type { Principal } from '../principal.ts'
import { refused } from '../problem.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import { answer } from '../schemas/answer.ts'
import { FLOW_STATES, FLOW_TAGS, flowSummary, wholeFlow } from '../schemas/flow.ts'
import { workingContext } from '../schemas/working-context.ts'
import type { ServerParts } from '../server.ts'
import { sessionOf } from '../session-of.ts'
import {
  closed,
  cursor,
  identifier,
  instant,
  limit,
  limitOf,
  listOf,
  page,
  string,
  text,
  whole,
  wordList,
  words,
  wordsIn,
} from './shape.ts'

const opening = closed(
  {
    agent: identifier,
    trigger: text(LIMITS.noteLength),
    steps: words('one', 'many'),
    trajectory: identifier,
    parent: identifier,
    budget: { type: 'object', additionalProperties: { type: 'string', maxLength: 64 } },
    state: listOf(text(256), LIMITS.contextStatePaths),
    world: listOf(
      closed({ kind: identifier, id: text(LIMITS.resourceIdLength) }, ['kind', 'id']),
      LIMITS.contextStatePaths,
    ),
    // Refused by the engine, which says why.
    dfid: {},
  },
  ['trigger'],
)

const filter = closed({
  state: wordList(...FLOW_STATES),
  agent: identifier,
  parent: identifier,
  tag: words(...FLOW_TAGS),
  // By the moment in its dfid, which is when somebody asked for it.
  since: instant,
  until: instant,
  cursor,
  limit,
})

export function flowRoutes({ engine }: ServerParts): readonly Route[] {
  const { store } = engine.context
  return [
    {
      method: 'POST',
      path: '/v1/flows',
      operation: 'openFlow',
      summary: 'open a flow for the agent of the session',
      roles: ['agent'],
      body: opening,
      once: true,
      reply: whole({ dfid: string, context: workingContext }),
      status: 201,
      async handle(asked) {
        const opened = await engine.open({ ...parseOpening(asked), ...sessionOf(asked.principal) })
        if (!opened.ok) return refused(opened.error)
        return done({ dfid: opened.value.flow.dfid, context: opened.value.working }, 201)
      },
    },
    {
      method: 'GET',
      path: '/v1/flows',
      operation: 'listFlows',
      summary: 'flows, newest first; agents see their own',
      roles: ['operator', 'approver', 'auditor', 'agent'],
      query: filter,
      reply: page('flows', flowSummary),
      async handle(asked) {
        const filter = parseFilter(asked)
        if (!filter.ok) return filter.error
        const limit = limitOf(asked.query)
        const flows = await store.flowSummaries({ ...filter.value, limit: limit + 1 })
        return done(pageOf('flows', flows, limit, ({ dfid }) => [dfid]))
      },
    },
    {
      method: 'GET',
      path: '/v1/flows/:dfid',
      operation: 'getFlow',
      summary: 'a flow from trigger to outcome',
      roles: ['operator', 'approver', 'auditor', 'agent'],
      reply: wholeFlow,
      async handle({ principal, params }) {
        const flow = await store.flow(params.dfid ?? '')
        if (flow === null) return unknownFlow(params.dfid ?? '')
        return isForeign(flow, principal) ? foreignFlow(flow) : done(await shownFlow(store, flow))
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/proposals',
      operation: 'propose',
      summary: 'propose; a verdict is 200, whatever it says',
      roles: ['agent'],
      query: closed({ wait_ms: { type: 'string', pattern: '^[0-9]{1,5}$' } }),
      body: 'bytes',
      written: policySchema,
      reply: answer,
      async handle({ principal, params, query, bytes }) {
        const waitMs = Math.min(LIMITS.waitMs, Number(query.wait_ms ?? LIMITS.waitMs))
        const options = { ...sessionOf(principal), waitMs }
        return answerReply(await engine.propose(params.dfid ?? '', bytes, options))
      },
    },
  ]
}

/** The agent of the session, unless the body names another; the engine refuses that one. */
function parseOpening({ principal, body }: Asked): OpenRequest {
  const agent = principal.kind === 'agent' ? { agent: principal.agent_id } : {}
  return { ...agent, ...(body as object) } as OpenRequest
}

function parseFilter({ principal, query }: Asked): Result<Omit<FlowFilter, 'limit'>, Reply> {
  const place = parseCursor(query, 1)
  if (!place.ok) return place
  const since = parseMoment(query, 'since')
  if (!since.ok) return since
  const until = parseMoment(query, 'until')
  if (!until.ok) return until
  const { agent, parent } = query
  const whose = principal.kind === 'agent' ? principal.agent_id : agent
  const state = wordsIn(FLOW_STATES, query.state)
  const tag = FLOW_TAGS.find((known) => known === query.tag)
  // Whichever is earlier.
  const [before] = [place.value?.[0], firstDfid(until.value)].filter(isThere).sort()
  const from = firstDfid(since.value)
  return ok({
    ...(state === undefined ? {} : { state }),
    ...(whose === undefined ? {} : { agent_id: whose }),
    ...(parent === undefined ? {} : { parent_dfid: parent }),
    ...(tag === undefined ? {} : { tag }),
    ...(before === undefined ? {} : { before }),
    ...(from === undefined ? {} : { from }),
  })
}

/** The first that could be minted at that moment. */
function firstDfid(moment: number | undefined): string | undefined {
  return moment === undefined ? undefined : dfidFrom(moment, new Uint8Array(10))
}

function isThere(value: string | undefined): value is string {
  return value !== undefined
}

async function shownFlow(store: Store, flow: FlowRow): Promise<object> {
  const { dfid } = flow
  const entries = (await store.entriesOfFlow(dfid)).map(entryView)
  const children = await store.flowSummaries({ parent_dfid: dfid, limit: LIMITS.listed })
  return {
    flow,
    entries,
    executions: await store.executions({ dfid, limit: LIMITS.listed }),
    children: children.map(({ dfid, agent_id, state }) => ({ dfid, agent_id, state })),
    budget: await flowBudget(store, flow, entries),
  }
}

function isForeign({ agent_id }: FlowRow, principal: Principal): boolean {
  return principal.kind === 'agent' && principal.agent_id !== agent_id
}

function foreignFlow({ dfid }: FlowRow): Reply {
  return refused({
    code: 'IDENTITY_MISMATCH',
    summary: `flow \`${dfid}\` is not one of yours`,
    fix: 'use a flow of your own',
  })
}

function unknownFlow(dfid: string): Reply {
  return refused({
    code: 'FLOW_UNKNOWN',
    summary: `there is no flow \`${dfid}\``,
    fix: 'check the dfid',
  })
}
