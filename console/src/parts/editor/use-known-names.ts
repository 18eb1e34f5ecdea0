/** What there is to name, asked once for an editor: where it cannot be asked, nothing is offered and all can be typed. */
import { useMemo } from 'react'
import type { Client, ClientAnswer, Law } from 'rubicon-agents/client'
import { useReply } from '../../api/use-reply.ts'
import { listKnownParams } from './known-params.ts'
import { type KnownNames, NO_NAMES } from './suggestion.ts'

type Names = {
  readonly law: Law | null
  readonly agents: readonly string[]
  readonly topics: readonly string[]
}

export function useKnownNames(): KnownNames {
  const { reply } = useReply('names for an editor', loadNames)
  const value = reply.state === 'ready' ? reply.value : null
  return useMemo(() => (value === null ? NO_NAMES : toKnownNames(value)), [value])
}

async function loadNames(client: Client, signal: AbortSignal): Promise<ClientAnswer<Names>> {
  const [law, agents, topics] = await Promise.all([
    client.getLaw({ signal }),
    client.listAgents({ query: { limit: '1000' }, signal }),
    client.listTopics({ query: { limit: '500' }, signal }),
  ])
  const body = {
    law: law.ok ? law.body : null,
    agents: agents.ok ? agents.body.agents.map(({ agent_id }) => agent_id) : [],
    topics: topics.ok ? topics.body.topics.map(({ topic }) => topic) : [],
  }
  return { ok: true, status: 200, body }
}

export function toKnownNames({ law, agents, topics }: Names): KnownNames {
  const actions = (law?.capabilities ?? []).map(({ kind, summary, measures, params }) => {
    return { kind, summary, measures, params: listKnownParams(params) }
  })
  return { actions, agents, topics }
}
