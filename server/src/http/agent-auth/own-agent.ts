/** What is an agent's own: other agents are refused at the door, people by their roles. */

import type { Principal } from '../../people/principal.ts'
import { toProblemReply } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'

/** Null: it is the agent itself, or a person. */
export function refuseOtherAgent(principal: Principal, agent_id: string): Reply | null {
  if (principal.kind !== 'agent' || principal.agent_id === agent_id) return null
  return toProblemReply({
    code: 'IDENTITY_MISMATCH',
    summary: `\`${agent_id}\` is another agent`,
    why: 'identity comes from the session, never from the address',
    fix: `ask for what is your own: \`${principal.agent_id}\``,
  })
}
