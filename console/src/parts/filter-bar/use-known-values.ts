/** What the fields of a filter are completed from. What cannot be read is not offered, and may still be typed. */
import { REASON_CODES } from 'rubicon-kernel'
import { useReply } from '../../api/use-reply.ts'

export type KnownValues = {
  readonly agents: readonly string[]
  readonly kinds: readonly string[]
  readonly reasons: readonly string[]
}

const AGENTS = '200'
const SORTED_REASONS = [...REASON_CODES].sort()

/** `kinds`: those of the list, where they are not those of actions. */
export function useKnownValues(kinds?: readonly string[]): KnownValues {
  const { reply: agents } = useReply('known agents', (client, signal) =>
    client.listAgents({ query: { limit: AGENTS }, signal }),
  )
  const { reply: schema } = useReply('known kinds', (client, signal) =>
    client.getPolicySchema({ signal }),
  )
  const known = schema.state === 'ready' ? schema.value : null
  return {
    agents: agents.state === 'ready' ? agents.value.agents.map(({ agent_id }) => agent_id) : [],
    kinds: kinds ?? Object.keys(known?.kinds ?? {}).sort(),
    reasons: SORTED_REASONS,
  }
}
