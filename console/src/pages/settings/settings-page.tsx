/** Settings in tabs: what is set for oneself first, then what operators look after. */
import { lazy, type ReactNode, Suspense } from 'react'
import { Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useQuery } from '../../url/location.ts'
import { AppearanceView } from './appearance-view.tsx'
import { NoticesView } from './notices-view.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import { SETTINGS_TABS } from './settings-tabs.ts'
import './settings.css'

const ChannelsView = lazy(async () => ({
  default: (await import('./channels/channels-view.tsx')).ChannelsView,
}))
const PeopleView = lazy(async () => ({
  default: (await import('./people/people-view.tsx')).PeopleView,
}))
const TokensView = lazy(async () => ({
  default: (await import('./people/tokens-view.tsx')).TokensView,
}))
const KeysView = lazy(async () => ({ default: (await import('./keys/keys-view.tsx')).KeysView }))
const WritsView = lazy(async () => ({ default: (await import('./writs-view.tsx')).WritsView }))
const SourcesView = lazy(async () => ({
  default: (await import('./sources-view.tsx')).SourcesView,
}))
const TenantsView = lazy(async () => ({
  default: (await import('./tenants-view.tsx')).TenantsView,
}))
const RetentionView = lazy(async () => ({
  default: (await import('./retention-view.tsx')).RetentionView,
}))

export function SettingsPage({ id }: { readonly id: string }): ReactNode {
  const [tab] = useQuery('in', 'appearance')
  return (
    <Page name="settings">
      <div className="settings">
        <Tabs label="which settings" name="in" tabs={SETTINGS_TABS} value={tab} path="/settings" />
        <div className="settings-tab">
          <Suspense fallback={<Loading what="settings" />}>{chooseTab(tab, id)}</Suspense>
        </div>
      </div>
    </Page>
  )
}

function chooseTab(tab: string, id: string): ReactNode {
  if (tab === 'notifications') return <NoticesView />
  const view = chooseOperatorTab(tab, id)
  return view === null ? <AppearanceView /> : <OperatorsOnly>{view}</OperatorsOnly>
}

function chooseOperatorTab(tab: string, id: string): ReactNode {
  switch (tab) {
    case 'channels':
      return <ChannelsView id={id} />
    case 'people':
      return <PeopleView id={id} />
    case 'tokens':
      return <TokensView />
    case 'keys':
      return <KeysView id={id} />
    case 'writs':
      return <WritsView id={id} />
    case 'sources':
      return <SourcesView id={id} />
    case 'tenants':
      return <TenantsView />
    case 'retention':
      return <RetentionView />
    default:
      return null
  }
}
