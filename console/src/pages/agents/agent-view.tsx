/** One agent: its state and why, what it may do, what is left to it, and what it did. */
import type { ReactNode } from 'react'
import type { AgentDetail } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useSession } from '../../api/session.tsx'
import { useReply } from '../../api/use-reply.ts'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { useQuery } from '../../url/location.ts'
import { AgentOverview } from './agent-overview.tsx'
import { AgentStanding } from './agent-standing.tsx'
import { ContractChange } from './contract-change.tsx'
import { ContractView } from './contract-view.tsx'
import { MoveButtons } from './move-buttons.tsx'
import { VersionsView } from './versions-view.tsx'
import './agent-view.css'

const TABS: readonly Tab[] = [
  { value: 'now', label: 'Overview' },
  { value: 'contract', label: 'Contract' },
  { value: 'versions', label: 'Versions' },
  { value: 'change', label: 'Edit the contract' },
]

export function AgentView({
  id,
  moved,
}: {
  readonly id: string
  readonly moved: () => void
}): ReactNode {
  const { reply, again } = useReply(`agent ${id}`, (client, signal) =>
    client.getAgent({ params: { id }, signal }),
  )
  useBell((event) => event.agent_id === id || AUTHORITY.includes(event.kind), again)
  if (reply.state === 'loading') return <Loading what="the agent" shape="detail" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  const handleChanged = (): void => {
    again()
    moved()
  }
  return <AgentFound agent={reply.value} changed={handleChanged} />
}

const AUTHORITY: readonly string[] = ['contract', 'lifecycle', 'revocation']

function AgentFound({
  agent,
  changed,
}: {
  readonly agent: AgentDetail
  readonly changed: () => void
}): ReactNode {
  const { session } = useSession()
  const [view] = useQuery('view', 'now')
  return (
    <article className="agent-view">
      <header className="agent-head stack">
        <h2 className="row">
          {agent.agent_id} <AgentStanding agent={agent} />
        </h2>
        {session.roles.includes('operator') ? (
          <MoveButtons agent={agent} changed={changed} />
        ) : (
          <p className="quiet small">The role operator is needed to suspend it.</p>
        )}
      </header>
      <Tabs label="views of the agent" name="view" tabs={TABS} value={view} />
      <div className="agent-body stack">
        {view === 'contract' ? <ContractView agent={agent} /> : null}
        {view === 'versions' ? <VersionsView id={agent.agent_id} /> : null}
        {view === 'change' ? <ContractChange agent={agent} changed={changed} /> : null}
        {view === 'now' ? <AgentOverview agent={agent} /> : null}
      </div>
    </article>
  )
}
