/** Which page stands at an address. Each is loaded when it is first opened; what is common to all comes with the frame. */
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Empty, Loading } from '../parts/outcomes.tsx'
import { Link } from '../url/link.tsx'
import { PAGES, type PageName } from '../url/pages.ts'
import { PageFault } from './page-fault.tsx'

const AgentsPage = lazy(async () => ({
  default: (await import('./agents/agents-page.tsx')).AgentsPage,
}))
const ArtifactsPage = lazy(async () => ({
  default: (await import('./artifacts/artifacts-page.tsx')).ArtifactsPage,
}))
const EventsPage = lazy(async () => ({
  default: (await import('./events/events-page.tsx')).EventsPage,
}))
const ExecutionsPage = lazy(async () => ({
  default: (await import('./executions/executions-page.tsx')).ExecutionsPage,
}))
const FlowsPage = lazy(async () => ({
  default: (await import('./flows/flows-page.tsx')).FlowsPage,
}))
const InboxPage = lazy(async () => ({
  default: (await import('./inbox/inbox-page.tsx')).InboxPage,
}))
const importLedger = () => import('./ledger/ledger-page.tsx')
const LedgerPage = lazy(async () => ({ default: (await importLedger()).LedgerPage }))
const MonitorsPage = lazy(async () => ({
  default: (await import('./monitors/monitors-page.tsx')).MonitorsPage,
}))
const OverviewPage = lazy(async () => ({
  default: (await import('./overview/overview-page.tsx')).OverviewPage,
}))
const PoliciesPage = lazy(async () => ({
  default: (await import('./policies/policies-page.tsx')).PoliciesPage,
}))
const SettingsPage = lazy(async () => ({
  default: (await import('./settings/settings-page.tsx')).SettingsPage,
}))
const ToolsPage = lazy(async () => ({
  default: (await import('./tools/tools-page.tsx')).ToolsPage,
}))
const WorldPage = lazy(async () => ({
  default: (await import('./world/world-page.tsx')).WorldPage,
}))

/** After the first page is there, and not at its cost. */
const SPARE_MS = 10_000

/** Whoever looks at something else when the server goes can still check a file: that page is loaded ahead. */
export function usePageForOffline(): void {
  useEffect(() => {
    const timer = setTimeout(() => void importLedger().catch(() => {}), SPARE_MS)
    return () => clearTimeout(timer)
  }, [])
}

export function renderPage(page: PageName | null, id: string): ReactNode {
  if (page === null) return <NoPage />
  return (
    <PageFault key={page} title={PAGES[page].title}>
      <Suspense fallback={<ComingPage name={page} />}>{choosePage(page, id)}</Suspense>
    </PageFault>
  )
}

function choosePage(page: PageName, id: string): ReactNode {
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
    case 'overview':
      return <OverviewPage />
    case 'policies':
      return <PoliciesPage />
    case 'settings':
      return <SettingsPage id={id} />
    case 'tools':
      return <ToolsPage id={id} />
    case 'world':
      return <WorldPage id={id} />
  }
}

/** In its place, with its name, until its files are there. */
function ComingPage({ name }: { readonly name: PageName }): ReactNode {
  return (
    <main className={name === 'overview' ? 'page page-ground' : 'page'} id="main" tabIndex={-1}>
      <header className="page-head">
        <h1>{PAGES[name].title}</h1>
      </header>
      <Loading what={PAGES[name].title} shape={name === 'overview' ? 'cards' : 'rows'} />
    </main>
  )
}

function NoPage(): ReactNode {
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header className="page-head">
        <h1>Not here</h1>
      </header>
      <Empty what="This page does not exist.">
        <Link href="/">To the overview</Link>
      </Empty>
    </main>
  )
}
