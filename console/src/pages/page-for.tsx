import type { ReactNode } from 'react'
import { Empty } from '../parts/outcomes.tsx'
import { Link } from '../url/link.tsx'
import type { PageName } from '../url/pages.ts'
import { AgentsPage } from './agents/agents-page.tsx'
import { ArtifactsPage } from './artifacts/artifacts-page.tsx'
import { EventsPage } from './events/events-page.tsx'
import { ExecutionsPage } from './executions/executions-page.tsx'
import { FlowsPage } from './flows/flows-page.tsx'
import { InboxPage } from './inbox/inbox-page.tsx'
import { LedgerPage } from './ledger/ledger-page.tsx'
import { MonitorsPage } from './monitors/monitors-page.tsx'
import { PoliciesPage } from './policies/policies-page.tsx'
import { ToolsPage } from './tools/tools-page.tsx'
import { WorldPage } from './world/world-page.tsx'

export function renderPage(page: PageName | null, id: string): ReactNode {
  switch (page) {
    case 'agents':
      return <AgentsPage id={id} />
    case 'artifacts':
      return <ArtifactsPage name={id} />
    case 'events':
      return <EventsPage id={id} />
    case 'executions':
      return <ExecutionsPage id={id} />
    case 'flows':
      return <FlowsPage dfid={id} />
    case 'inbox':
      return <InboxPage id={id} />
    case 'ledger':
      return <LedgerPage leaf={id} />
    case 'monitors':
      return <MonitorsPage id={id} />
    case 'policies':
      return <PoliciesPage />
    case 'tools':
      return <ToolsPage id={id} />
    case 'world':
      return <WorldPage id={id} />
    default:
      return <NoPage />
  }
}

function NoPage(): ReactNode {
  return (
    <main id="main" tabIndex={-1}>
      <Empty what="This page does not exist.">
        <Link href="/inbox">To the inbox</Link>
      </Empty>
    </main>
  )
}
