import type { ReactNode } from 'react'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { describeFlowOutcome } from '../../parts/flow-outcome.ts'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'

const SHOWN = 6

export function LastFlows(): ReactNode {
  const { reply, again } = useReply('overview flows', (client, signal) =>
    client.listFlows({ query: { limit: String(SHOWN) }, signal }),
  )
  useBell(({ dfid }) => dfid !== null, again)
  if (reply.state === 'loading') return <Loading what="flows" shape="lines" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  const { flows } = reply.value
  if (flows.length === 0) return <Empty what="No agent has asked for anything yet." />
  return (
    <ul className="overview-lines">
      {flows.map((flow) => (
        <li key={flow.dfid}>
          <Link href={`/flows/${flow.dfid}`}>
            <AgentText text={flow.trigger} />
          </Link>
          <span className="quiet small">
            {flow.agent_id}, <When at={flow.opened_at} />
          </span>
          <Status {...describeFlowOutcome(flow)} />
        </li>
      ))}
    </ul>
  )
}
