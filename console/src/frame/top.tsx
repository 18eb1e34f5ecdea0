/** Above every page: what finds and does everything, whether the page is live, and who is signed in. */
import MenuIcon from 'lucide-react/icons/menu'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import Search from 'lucide-react/icons/search'
import type { ReactNode } from 'react'
import { useLive } from '../api/live.tsx'
import { formatKeyName } from '../keys/key-name.ts'
import { WaitingBadge } from './nav.tsx'
import { UserMenu } from './user-menu.tsx'
import './top.css'

export function Top({
  openDrawer,
  openPalette,
  openKeys,
}: {
  readonly openDrawer: () => void
  readonly openPalette: () => void
  readonly openKeys: () => void
}): ReactNode {
  return (
    <header className="top">
      <button type="button" className="top-drawer" onClick={openDrawer}>
        <MenuIcon className="icon" aria-hidden="true" />
        <span className="unseen">Pages</span>
        <WaitingBadge />
      </button>
      <button type="button" className="top-find" onClick={openPalette}>
        <Search className="icon" aria-hidden="true" />
        <span>Find or do…</span>
        <kbd>{formatKeyName('mod+k')}</kbd>
      </button>
      <LiveSwitch />
      <UserMenu openKeys={openKeys} />
    </header>
  )
}

/** The dot and the word say the same. */
function LiveSwitch(): ReactNode {
  const { state, changePause } = useLive()
  return (
    <span className="top-live">
      <span className={`top-state top-state-${state}`} role="status">
        <span className="top-dot" aria-hidden="true" />
        {state}
      </span>
      <button
        type="button"
        className="quiet-button top-pause"
        onClick={() => changePause(state !== 'paused')}
      >
        {state === 'paused' ? (
          <Play className="icon" aria-hidden="true" />
        ) : (
          <Pause className="icon" aria-hidden="true" />
        )}
        <span>{state === 'paused' ? 'Resume' : 'Pause'}</span>
      </button>
    </span>
  )
}
