/** Who is signed in, and what they set for themselves: theme, density, time; help; the way out. */
import BookOpen from 'lucide-react/icons/book-open'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import Settings from 'lucide-react/icons/settings'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.tsx'
import { Menu, type MenuGroup } from '../parts/menu.tsx'
import { DENSITIES, THEMES, useAppearance } from '../style/appearance.tsx'
import { DENSITY_WORDS, THEME_WORDS, TIME_WORDS } from '../style/appearance-words.ts'
import { useTime } from '../time/time.tsx'
import './user-menu.css'

export function UserMenu({ openKeys }: { readonly openKeys: () => void }): ReactNode {
  const { session } = useSession()
  const groups = useUserMenu(openKeys)
  const roles = session.roles.join(', ')
  return (
    <Menu
      label="Your menu"
      className="user-button"
      button={
        <>
          <span className="user-initial" aria-hidden="true">
            {session.shown.slice(0, 1).toUpperCase()}
          </span>
          <span className="unseen">Your menu: </span>
          <span className="user-name" title={roles}>
            {session.shown}
          </span>
          <ChevronDown className="icon" aria-hidden="true" />
        </>
      }
      groups={groups}
    />
  )
}

function useUserMenu(openKeys: () => void): readonly MenuGroup[] {
  const { client } = useSession()
  const { theme, density, setTheme, setDensity } = useAppearance()
  const { utc, setUtc } = useTime()
  const signOut = async (): Promise<void> => {
    const ended = await client.endSession()
    // The provider, where there is one, has a session of its own to end. Nothing stays on the screen.
    location.assign(ended.ok ? (ended.body.provider ?? '/') : '/')
  }
  return [
    {
      label: 'Theme',
      items: THEMES.map((one) => ({
        label: THEME_WORDS[one],
        checked: one === theme,
        run: () => setTheme(one),
      })),
    },
    {
      label: 'Density',
      items: DENSITIES.map((one) => ({
        label: DENSITY_WORDS[one],
        checked: one === density,
        run: () => setDensity(one),
      })),
    },
    {
      label: 'Time',
      items: ([false, true] as const).map((one) => ({
        label: TIME_WORDS[one ? 'utc' : 'local'],
        checked: one === utc,
        run: () => setUtc(one),
      })),
    },
    {
      label: 'Help',
      items: [
        { label: 'Settings', icon: Settings, href: '/settings', hint: 'g s' },
        { label: 'Keyboard shortcuts', icon: Keyboard, run: openKeys, hint: '?' },
        { label: 'Documentation', icon: BookOpen, href: '/docs/', leaves: true },
      ],
    },
    { label: 'Session', items: [{ label: 'Sign out', icon: LogOut, run: () => void signOut() }] },
  ]
}
