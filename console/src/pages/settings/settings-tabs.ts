import type { Tab } from '../../parts/tabs.tsx'

/** Each stands in the address by its value. */
export const SETTINGS_TABS: readonly Tab[] = [
  { value: 'appearance', label: 'Appearance' },
  { value: 'notifications', label: 'Notifications' },
  { value: 'channels', label: 'Channels' },
  { value: 'people', label: 'People' },
  { value: 'tokens', label: 'Tokens and sessions' },
  { value: 'keys', label: 'Keys' },
  { value: 'writs', label: 'Writs' },
  { value: 'sources', label: 'Sources of facts' },
  { value: 'tenants', label: 'Tenants' },
  { value: 'retention', label: 'Retention' },
]
