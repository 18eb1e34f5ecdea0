/** What an agent keeps for itself between flows: its own to write, for operators to take out. */
import type { JsonValue } from 'rubicon-kernel'
import type { AgentState } from 'rubicon-runtime/engine/context'
import { refuseOtherAgent } from '../agent-auth/own-agent.ts'
import { pickSession } from '../agent-auth/session-of.ts'
import { toProblemReply } from '../problems/problem.ts'
import { type Route, toReply } from '../schemas/route.ts'
import {
  allowNull,
  anything,
  boolean,
  buildClosedObject,
  buildWholeObject,
  integer,
  moment,
  nameSchema,
  string,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

const agentState = nameSchema(
  'KeptState',
  buildWholeObject<AgentState>({ value: anything, version: integer, updated_at: moment }),
)

const written = nameSchema(
  'KeptStateWritten',
  buildWholeObject({ agent_id: string, version: integer, updated_at: moment }),
)

const writing = buildClosedObject(
  {
    value: anything,
    /** The one that was read; null: there was none. */
    version: allowNull({ ...integer, minimum: 1 }),
  },
  ['value', 'version'],
)

type Writing = { readonly value: JsonValue; readonly version: number | null }

const PATH = '/v1/agents/:id/state'

export function createAgentStateRoutes({ engine }: ServerParts): readonly Route[] {
  const { contextStore } = engine
  return [
    {
      method: 'GET',
      path: PATH,
      operation: 'getAgentState',
      summary: 'the stored state of an agent between flows; null: none',
      roles: ['operator', 'auditor', 'agent'],
      reply: buildWholeObject({ agent_id: string, state: allowNull(agentState) }),
      async handle({ principal, params: { id = '' } }) {
        const foreign = refuseOtherAgent(principal, id)
        if (foreign !== null) return foreign
        const state = await contextStore.agentState(id, pickSession(principal))
        return state.ok
          ? toReply({ agent_id: id, state: state.value })
          : toProblemReply(state.error)
      },
    },
    {
      method: 'PUT',
      path: PATH,
      operation: 'putAgentState',
      summary: 'replace it; the version must be the one that was read',
      roles: ['agent'],
      body: writing,
      once: true,
      reply: written,
      async handle({ principal, params: { id = '' }, body }) {
        const foreign = refuseOtherAgent(principal, id)
        if (foreign !== null) return foreign
        const { value, version } = parseWriting(body)
        const put = await contextStore.putAgentState(id, value, version, pickSession(principal))
        if (!put.ok) return toProblemReply(put.error)
        // Without the value: this answer is kept for whoever asks again, and no erasure looks there.
        const { version: next, updated_at } = put.value
        return toReply({ agent_id: id, version: next, updated_at })
      },
    },
    {
      method: 'DELETE',
      path: PATH,
      operation: 'dropAgentState',
      summary: 'delete it permanently',
      roles: ['operator', 'agent'],
      reply: buildWholeObject({ agent_id: string, dropped: boolean }),
      async handle({ principal, params: { id = '' } }) {
        const foreign = refuseOtherAgent(principal, id)
        if (foreign !== null) return foreign
        const dropped = await contextStore.dropAgentState(id, pickSession(principal))
        return dropped.ok
          ? toReply({ agent_id: id, dropped: dropped.value })
          : toProblemReply(dropped.error)
      },
    },
  ]
}

function parseWriting(body: JsonValue): Writing {
  return body as unknown as Writing
}
