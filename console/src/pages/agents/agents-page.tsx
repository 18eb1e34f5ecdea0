/** Agents: who may do what, in which state, and what is wrong with them. */
import type { ReactNode } from 'react'
import type { AgentActivity, AgentSummary, Client, ClientAnswer } from 'rubicon-agents/client'
import { loadEveryPage } from '../../api/every-page.ts'
import { useBell } from '../../api/live.tsx'
import { useSession } from '../../api/session.tsx'
import { useReply } from '../../api/use-reply.ts'
import { ListDetail } from '../../parts/list-detail.tsx'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { Link } from '../../url/link.tsx'
import { useQuery } from '../../url/location.ts'
import { ALL_COLUMNS, FEW_COLUMNS } from './agent-columns.tsx'
import { AgentGraphView } from './agent-graph-view.tsx'
import { AgentView } from './agent-view.tsx'
import { NEW_AGENT, NewAgent } from './new-agent.tsx'

/** Entries that change who may do what. */
const MOVING: readonly string[] = [
  'contract',
  'lifecycle',
  'revocation',
  'key',
  'pending_approval',
  'approval',
]

const TABS: readonly Tab[] = [
  { value: 'list', label: 'List' },
  { value: 'hierarchy', label: 'Hierarchy' },
]

/** All of them: a name is looked for in the whole list. */
function loadEveryAgent(
  client: Client,
  signal: AbortSignal,
): Promise<ClientAnswer<readonly AgentSummary[]>> {
  return loadEveryPage(async (cursor) => {
    const answer = await client.listAgents({ query: { limit: '1000', cursor }, signal })
    if (!answer.ok) return answer
    return { ...answer, body: { rows: answer.body.agents, next: answer.body.next } }
  })
}

export function AgentsPage({ id }: { readonly id: string }): ReactNode {
  const { session } = useSession()
  const { reply, again } = useReply('agents', loadEveryAgent)
  const activity = useReply('activity of agents', (client, signal) =>
    client.getAgentActivity({ query: {}, signal }),
  )
  useBell(({ kind }) => MOVING.includes(kind), again)
  useBell(({ agent_id }) => agent_id !== null, activity.again, ACTIVITY_MS)
  // Columns that fill later would move what is read.
  const isLoading = reply.state === 'loading' || activity.reply.state === 'loading'
  const known = activity.reply.state === 'ready' ? activity.reply.value.agents : []
  return (
    <Page
      name="agents"
      actions={
        session.roles.includes('operator') ? (
          <Link className="button" href={`/agents/${encodeURIComponent(NEW_AGENT)}`}>
            New agent
          </Link>
        ) : null
      }
    >
      <ListDetail
        list={
          <>
            {isLoading ? <Loading what="agents" /> : null}
            {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
            {activity.reply.state === 'failed' ? <Failed problem={activity.reply.problem} /> : null}
            {activity.reply.state === 'ready' && !activity.reply.value.complete ? (
              <p className="quiet small">
                There are many agents: verdicts and budgets are shown of those at work last.
              </p>
            ) : null}
            {reply.state === 'ready' && !isLoading ? (
              <AgentList agents={reply.value} known={known} id={id} />
            ) : null}
          </>
        }
        detail={id === '' ? null : <AgentDetailOf key={id} id={id} moved={again} />}
      />
    </Page>
  )
}

function AgentDetailOf({
  id,
  moved,
}: {
  readonly id: string
  readonly moved: () => void
}): ReactNode {
  return id === NEW_AGENT ? <NewAgent moved={moved} /> : <AgentView id={id} moved={moved} />
}
/** A line of a day need not be drawn at every entry. */
const ACTIVITY_MS = 10_000

function AgentList({
  agents,
  known,
  id,
}: {
  readonly agents: readonly AgentSummary[]
  readonly known: readonly AgentActivity[]
  readonly id: string
}): ReactNode {
  const [shown] = useQuery('as', 'list')
  if (agents.length === 0)
    return (
      <Empty
        what="No agents yet. Deploy a contract to register one:"
        command="npx rubicon contract deploy FILE"
      />
    )
  const activity = new Map(known.map((one) => [one.agent_id, one]))
  return (
    <>
      {id === '' ? <Tabs label="how agents are shown" name="as" tabs={TABS} value={shown} /> : null}
      {id === '' && shown === 'hierarchy' ? (
        <AgentGraphView agents={agents} activity={activity} />
      ) : (
        <Rows
          label="agents"
          rows={agents.map((agent) => ({ ...agent, activity: activity.get(agent.agent_id) }))}
          columns={id === '' ? ALL_COLUMNS : FEW_COLUMNS}
          keyOf={({ agent_id }) => agent_id}
          hrefOf={({ agent_id }) => `/agents/${encodeURIComponent(agent_id)}`}
          selected={id}
        />
      )}
    </>
  )
}
