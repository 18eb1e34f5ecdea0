/** Settings in tabs; what is set for oneself comes first. */
import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { AppearanceView } from './appearance-view.tsx'

const TABS: readonly Tab[] = [{ value: 'appearance', label: 'Appearance' }]

export function SettingsPage(): ReactNode {
  return (
    <Page name="settings">
      <Tabs label="which settings" name="in" tabs={TABS} value="appearance" />
      <AppearanceView />
    </Page>
  )
}
