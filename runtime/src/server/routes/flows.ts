/** Flows: opened and fed by their agents, read by people. */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import type { OpenRequest } from '../../engine/open.ts'
import type { Usage } from '../../engine/usage.ts'
import type { FlowFilter, FlowRow, Store } from '../../ports/store.ts'
import { answerReply } from '../answer-reply.ts'
import { entryView } from '../entry-view.ts'
import type { Principal } from '../principal.ts'
import { refused } from '../problem.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import type { ServerParts } from '../server.ts'
import { closed, FLOW_STATES, identifier, limit, limitOf, listOf, text, words } from './shape.ts'

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
  state: words(...FLOW_STATES),
  agent: identifier,
  parent: identifier,
  before: identifier,
  limit,
})

export function flowRoutes({ engine }: ServerParts): readonly Route[] {
  const { store } = engine.context
  return [
    {
      method: 'POST',
      path: '/v1/flows',
      summary: 'open a flow for the agent of the session',
      roles: ['agent'],
      body: opening,
      once: true,
      async handle(asked) {
        const opened = await engine.open({ ...parseOpening(asked), ...sessionOf(asked.principal) })
        if (!opened.ok) return refused(opened.error)
        return done({ dfid: opened.value.flow.dfid, context: opened.value.working }, 201)
      },
    },
    {
      method: 'GET',
      path: '/v1/flows',
      summary: 'flows, newest first; agents see their own',
      roles: ['operator', 'approver', 'auditor', 'agent'],
      query: filter,
      handle: async (asked) => done({ flows: await store.flows(parseFilter(asked)) }),
    },
    {
      method: 'GET',
      path: '/v1/flows/:dfid',
      summary: 'a flow from trigger to outcome',
      roles: ['operator', 'approver', 'auditor', 'agent'],
      async handle({ principal, params }) {
        const flow = await store.flow(params.dfid ?? '')
        if (flow === null) return unknownFlow(params.dfid ?? '')
        return isForeign(flow, principal) ? foreignFlow(flow) : done(await wholeFlow(store, flow))
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/proposals',
      summary: 'propose; a verdict is 200, whatever it says',
      roles: ['agent'],
      query: closed({ wait_ms: { type: 'string', pattern: '^[0-9]{1,5}$' } }),
      body: 'bytes',
      async handle({ principal, params, query, bytes }) {
        const waitMs = Math.min(LIMITS.waitMs, Number(query.wait_ms ?? LIMITS.waitMs))
        const options = { ...sessionOf(principal), waitMs }
        return answerReply(await engine.propose(params.dfid ?? '', bytes, options))
      },
    },
    ...accountRoutes({ engine }),
  ]
}

/** What is said about a flow besides proposals. */
function accountRoutes({ engine }: Pick<ServerParts, 'engine'>): readonly Route[] {
  const { contextStore } = engine
  return [
    {
      method: 'POST',
      path: '/v1/flows/:dfid/notes',
      summary: 'add a note to the session of a flow',
      roles: ['agent', 'operator'],
      body: closed({ text: text(LIMITS.json.bytes) }, ['text']),
      async handle({ principal, params, body }) {
        const by = principal.kind === 'agent' ? 'agent' : 'operator'
        const options = { ...sessionOf(principal), by } as const
        const noted = await contextStore.note(params.dfid ?? '', parseNote(body), options)
        return noted.ok ? done(noted.value, 201) : refused(noted.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/explanations',
      summary: 'the agent\u2019s own account, for people; proposals refer to it',
      roles: ['agent'],
      body: closed(
        {
          narrative: text(LIMITS.json.bytes),
          identified_signals: listOf(text(1_024), 64),
          risks: listOf(text(1_024), 64),
        },
        ['narrative'],
      ),
      async handle({ principal, params, body }) {
        const explanation = parseExplanation(body)
        const session = sessionOf(principal)
        const explained = await contextStore.explain(params.dfid ?? '', explanation, session)
        return explained.ok ? done(explained.value, 201) : refused(explained.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/usage',
      summary: 'what reasoning cost since the last report',
      roles: ['agent'],
      body: closed({ used: { type: 'object' }, report: identifier }, ['used']),
      async handle({ principal, params, body }) {
        const { used, ...named } = parseUsageReport(body)
        const options = { ...sessionOf(principal), ...named }
        const counted = await engine.usage(params.dfid ?? '', used, options)
        return counted.ok ? done(counted.value) : refused(counted.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/cancellation',
      summary: 'end a flow of which nothing was sent',
      roles: ['agent', 'operator'],
      body: closed({ reason: text(1_024) }, ['reason']),
      async handle({ principal, params, body }) {
        const { reason } = parseCancellation(body)
        const dfid = params.dfid ?? ''
        const cancelled = await engine.cancel(dfid, reason, sessionOf(principal))
        return cancelled.ok ? done({ dfid, cancelled: true, reason }) : refused(cancelled.error)
      },
    },
  ]
}

/** People ask without a session: the engine takes them for somebody inside. */
function sessionOf(principal: Principal): { readonly session?: string } {
  return principal.kind === 'agent' ? { session: principal.session } : {}
}

/** The agent of the session, unless the body names another; the engine refuses that one. */
function parseOpening({ principal, body }: Asked): OpenRequest {
  const agent = principal.kind === 'agent' ? { agent: principal.agent_id } : {}
  return { ...agent, ...(body as object) } as OpenRequest
}

function parseFilter({ principal, query }: Asked): FlowFilter {
  const { state, agent, parent, before } = query
  const whose = principal.kind === 'agent' ? principal.agent_id : agent
  const states = FLOW_STATES.filter((known) => known === state)
  return {
    limit: limitOf(query),
    ...(states.length === 0 ? {} : { state: states }),
    ...(whose === undefined ? {} : { agent_id: whose }),
    ...(parent === undefined ? {} : { parent_dfid: parent }),
    ...(before === undefined ? {} : { before }),
  }
}

function parseNote(body: JsonValue): { readonly text: string } {
  return body as { readonly text: string }
}

function parseExplanation(body: JsonValue): { readonly narrative: string } {
  return body as { readonly narrative: string }
}

function parseUsageReport(body: JsonValue): { readonly used: Usage; readonly report?: string } {
  return body as { readonly used: Usage; readonly report?: string }
}

function parseCancellation(body: JsonValue): { readonly reason: string } {
  return body as { readonly reason: string }
}

async function wholeFlow(store: Store, flow: FlowRow): Promise<object> {
  const { dfid } = flow
  const entries = await store.entriesOfFlow(dfid)
  const children = await store.flows({ parent_dfid: dfid, limit: LIMITS.listed })
  return {
    flow,
    entries: entries.map(entryView),
    executions: await store.executions({ dfid, limit: LIMITS.listed }),
    children: children.map(({ dfid, agent_id, state }) => ({ dfid, agent_id, state })),
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
