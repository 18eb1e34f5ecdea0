/** What operators look after, each in a tab of the settings, by the words that people look for it with. */
import type { PaletteItem } from './palette-items.ts'

const TABS: readonly (readonly [tab: string, label: string, also: string])[] = [
  ['notifications', 'Notifications', 'desktop'],
  ['channels', 'Channels', 'webhook slack mail smtp'],
  ['people', 'People', 'users roles'],
  ['tokens', 'Tokens and sessions', 'revoke end sign out somebody'],
  ['keys', 'Keys', 'rotate retire compromised'],
  ['writs', 'Writs', 'delegation'],
  ['sources', 'Sources of facts', 'facts state'],
  ['tenants', 'Tenants', ''],
  ['retention', 'Retention', 'archive'],
]

export const SETTING_ITEMS: readonly PaletteItem[] = TABS.map(([tab, label, also]) => ({
  label: `Settings: ${label}`,
  hint: '',
  also,
  href: `/settings?in=${tab}`,
}))
