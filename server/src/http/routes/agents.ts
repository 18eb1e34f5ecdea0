/** Agents: the handshake, the schema they speak, and who they are. */
import {
  type JsonObject,
  type JsonValue,
  POLICY_SCHEMA_VERSION,
  TOPOLOGIES,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import {
  endSession,
  type HandshakeRequest,
  listAgentSummaries,
} from 'rubicon-runtime/engine/authority'
import { toProblemReply } from '../problems/problem.ts'
import { agentSummary, handshake } from '../schemas/agent.ts'
import { policySchema } from '../schemas/policy-schema.ts'
import { type Reply, type Route, toReply } from '../schemas/route.ts'
import {
  boolean,
  buildClosedObject,
  buildEnum,
  buildMap,
  buildPageSchema,
  buildWholeObject,
  cursor,
  identifier,
  limit,
  listOf,
  open,
  parseLimit,
  string,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { buildPage, parseCursor } from '../views/list-page.ts'

const nonce: JsonObject = { type: 'string', pattern: '^[A-Za-z0-9_-]{16,64}$' }

const handshakeBody = buildClosedObject(
  {
    agent: identifier,
    schema_version: text(32),
    /** Sessions that are bound to the same key end. */
    end_others: boolean,
    topologies: listOf(buildEnum(...TOPOLOGIES), TOPOLOGIES.length),
    key: buildClosedObject({ key_id: identifier, signed_at: text(32), nonce, sig: text(128) }, [
      'key_id',
      'signed_at',
      'nonce',
      'sig',
    ]),
  },
  ['agent'],
)

export function createAgentRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/agents/handshake',
      operation: 'shakeHands',
      summary: 'open a session for a registered agent, bound to a key of its own',
      roles: 'anyone',
      body: handshakeBody,
      reply: handshake,
      async handle({ body }) {
        const request = parseHandshake(body)
        if (request.key === undefined) return refuseUnprovenHandshake()
        const shaken = await engine.handshake(request)
        if (!shaken.ok) return refuseHandshake(shaken.error)
        const opened = { agent_id: request.agent, token: shaken.value.session_token }
        return { ...toReply(shaken.value), opened }
      },
    },
    {
      method: 'DELETE',
      path: '/v1/agents/handshake',
      operation: 'endAgentSession',
      summary: 'end the current session; its token becomes invalid',
      roles: ['agent'],
      reply: buildWholeObject({ ended: boolean }),
      async handle({ principal }) {
        if (principal.kind === 'agent') await endSession(engine.context, principal.session)
        return toReply({ ended: true })
      },
    },
    {
      method: 'GET',
      path: '/v1/agents',
      operation: 'listAgents',
      summary: 'who is registered, and in which state, by name',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({ cursor, limit }),
      reply: buildPageSchema('agents', agentSummary),
      handle: ({ query }) => list(engine, query),
    },
    {
      method: 'GET',
      path: '/v1/schemas/policy/latest',
      operation: 'getPolicySchema',
      summary: 'how a proposal is written, and the parameters of every kind',
      roles: ['operator', 'approver', 'auditor', 'agent'],
      reply: buildWholeObject({
        schema_version: string,
        schema: open,
        kinds: buildMap(
          buildWholeObject({ version: string, summary: string, params: open }, ['summary']),
        ),
      }),
      handle() {
        const kinds = engine.context.book.capabilities().map(({ law }) => {
          const { kind, version, summary, params } = law.description
          return [kind, { version, summary, params }]
        })
        return toReply({
          schema_version: POLICY_SCHEMA_VERSION,
          schema: policySchema,
          kinds: Object.fromEntries(kinds),
        })
      },
    },
  ]
}

async function list(
  { context: { store, authorities } }: Engine,
  query: Readonly<Record<string, string>>,
): Promise<Reply> {
  const place = parseCursor(query, 1)
  if (!place.ok) return place.error
  const [after = ''] = place.value ?? []
  const limit = parseLimit(query)
  const rows = await listAgentSummaries(store, await authorities.loadLatest(), {
    after,
    limit: limit + 1,
  })
  return toReply(buildPage('agents', rows, limit, ({ agent_id }) => [agent_id]))
}

function parseHandshake(body: JsonValue): HandshakeRequest {
  return body as unknown as HandshakeRequest
}

/** Who is not let in is told so by 403; who speaks another version by 406. */
function refuseHandshake(failure: Parameters<typeof toProblemReply>[0]): Reply {
  return failure.code === 'KEY_POSSESSION' ? toProblemReply(failure, 403) : toProblemReply(failure)
}

const SIGNED = [
  ...['agent', 'audience', 'end_others', 'key_id'],
  ...['nonce', 'schema_version', 'signed_at', 'tenant'],
]

function refuseUnprovenHandshake(): Reply {
  return refuseHandshake({
    code: 'KEY_POSSESSION',
    summary: 'the handshake does not prove possession of a key',
    why: 'over the network anybody could use a name',
    fix: `sign ${toCanonicalText(SIGNED)} with a registered key of the agent, and send \`key\``,
  })
}
