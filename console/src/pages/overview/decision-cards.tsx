import type { ReactNode } from 'react'
import type { DecisionRow } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { Card } from '../../parts/card.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { StackedColumns } from '../../parts/stacked-columns.tsx'
import { useTime } from '../../time/time.tsx'
import { Link } from '../../url/link.tsx'
import { groupDecisions, OUTCOMES } from './decision-columns.ts'
import './overview.css'

const LAST = 50
const AGENTS = 6

/** The last decisions by outcome, and the agents that they were about. */
export function DecisionCards(): ReactNode {
  const { reply, again } = useReply('overview decisions', (client, signal) =>
    client.listDecisions({ query: { limit: String(LAST) }, signal }),
  )
  useBell(({ dfid }) => dfid !== null, again)
  if (reply.state !== 'ready')
    return (
      <Card title="Decisions">
        {reply.state === 'loading' ? <Loading what="decisions" shape="lines" /> : null}
        {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
      </Card>
    )
  const rows = reply.value.decisions
  if (rows.length === 0)
    return (
      <Card title="Decisions">
        <Empty what={`Nothing has been decided yet. ${DEMO_INVITATION}`} command={DEMO_COMMAND} />
      </Card>
    )
  return <Decided rows={rows} />
}

function Decided({ rows }: { readonly rows: readonly DecisionRow[] }): ReactNode {
  const { utc } = useTime()
  const { columns, agents } = groupDecisions(rows, utc)
  return (
    <>
      <Card title="Decisions" aside={`the last ${rows.length}`} href="/flows" more="Flows">
        <StackedColumns label="decisions by outcome" series={OUTCOMES} columns={columns} />
      </Card>
      <Card title="Agents at work" href="/agents" more="All agents">
        <ul className="overview-lines">
          {agents.slice(0, AGENTS).map(({ agent, counts }) => (
            <li key={agent}>
              <Link href={`/agents/${encodeURIComponent(agent)}`}>{agent}</Link>
              <Sparkline
                label={`decisions of ${agent} over time`}
                values={counts}
                last={String(counts.reduce((sum, count) => sum + count, 0))}
              />
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}
