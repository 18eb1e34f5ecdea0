/** What is no proposal, or not one that anybody should have sent. */
import type { ProposalInput } from '../../runtime/src/engine/judge/receive.ts'
import type { OpenedFlow } from '../../runtime/src/engine/rows/opened-flow.ts'
import type { Rng } from './rng.ts'

export function drawGarbageProposal(rng: Rng, { flow }: OpenedFlow): ProposalInput {
  switch (rng.drawBelow(4)) {
    case 0:
      return rng.bytes(rng.drawBetween(1, 200))
    case 1:
      return `{"dfid":"${flow.dfid}","dfid":"${flow.dfid}"}`
    case 2:
      return { dfid: flow.dfid, agent_id: flow.agent_id, policy_kind: 'PAY', surprise: true }
    default:
      return `{"a":${'['.repeat(100)}`
  }
}
