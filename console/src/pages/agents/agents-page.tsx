/** Agents: who may do what, in which state, and what is wrong with them. */
import type { ReactNode } from 'react'
import type { AgentSummary, Client, ClientAnswer } from 'rubicon-agents/client'
import { loadEveryPage } from '../../api/every-page.ts'
import { useBell } from '../../api/live.tsx'
import { useSession } from '../../api/session.tsx'
import { useReply } from '../../api/use-reply.ts'
import { ListDetail } from '../../parts/list-detail.tsx'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { Link } from '../../url/link.tsx'
import { AgentStanding } from './agent-standing.tsx'
import { AgentView } from './agent-view.tsx'
import { NEW_AGENT, NewAgent } from './new-agent.tsx'

const COLUMNS: readonly Column<AgentSummary>[] = [
  { head: 'agent', cell: ({ agent_id }) => agent_id },
  { head: 'state', cell: (agent) => <AgentStanding agent={agent} /> },
  {
    head: 'problems',
    cell: ({ problems }) =>
      problems === 0 ? '' : <Status standing="waiting" word={String(problems)} />,
  },
  {
    head: 'contract',
    cell: ({ version, revoked }) => (revoked ? 'none in force' : version),
    wide: true,
  },
]

/** Where no agent is open beside them there is room for more. */
const ALL_COLUMNS: readonly Column<AgentSummary>[] = [
  ...COLUMNS,
  { head: 'owner', cell: ({ owner }) => owner ?? '', wide: true },
  { head: 'instance of', cell: ({ instance_of }) => instance_of ?? '', wide: true },
]

/** Entries that change who may do what. */
const MOVING: readonly string[] = [
  'contract',
  'lifecycle',
  'revocation',
  'key',
  'pending_approval',
  'approval',
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
  useBell(({ kind }) => MOVING.includes(kind), again)
  return (
    <Page
      name="agents"
      actions={
        session.roles.includes('operator') ? (
          <Link href={`/agents/${encodeURIComponent(NEW_AGENT)}`}>New agent</Link>
        ) : null
      }
    >
      <ListDetail
        list={
          <>
            {reply.state === 'loading' ? <Loading what="agents" /> : null}
            {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
            {reply.state === 'ready' ? <AgentList agents={reply.value} id={id} /> : null}
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

function AgentList({
  agents,
  id,
}: {
  readonly agents: readonly AgentSummary[]
  readonly id: string
}): ReactNode {
  if (agents.length === 0)
    return (
      <Empty
        what="No agents yet. Deploy a contract to register one:"
        command="rubicon contract deploy FILE"
      />
    )
  return (
    <Rows
      label="agents"
      rows={agents}
      columns={id === '' ? ALL_COLUMNS : COLUMNS}
      keyOf={({ agent_id }) => agent_id}
      hrefOf={({ agent_id }) => `/agents/${encodeURIComponent(agent_id)}`}
      selected={id}
    />
  )
}
