/** Settings in tabs; what is set for oneself comes first. */
import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { useQuery } from '../../url/location.ts'
import { AppearanceView } from './appearance-view.tsx'
import { NoticesView } from './notices-view.tsx'

const TABS: readonly Tab[] = [
  { value: 'appearance', label: 'Appearance' },
  { value: 'notifications', label: 'Notifications' },
]

export function SettingsPage(): ReactNode {
  const [tab] = useQuery('in', 'appearance')
  const value = TABS.find((known) => known.value === tab)?.value ?? 'appearance'
  return (
    <Page name="settings">
      <Tabs label="which settings" name="in" tabs={TABS} value={value} />
      {value === 'notifications' ? <NoticesView /> : <AppearanceView />}
    </Page>
  )
}
