/** The pages in their sections, each with its icon; beside the inbox the number that waits. */
import type { LucideIcon } from 'lucide-react'
import Activity from 'lucide-react/icons/activity'
import Blocks from 'lucide-react/icons/blocks'
import Bot from 'lucide-react/icons/bot'
import FileDiff from 'lucide-react/icons/file-diff'
import Globe from 'lucide-react/icons/globe'
import Inbox from 'lucide-react/icons/inbox'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import Radio from 'lucide-react/icons/radio'
import Scale from 'lucide-react/icons/scale'
import Send from 'lucide-react/icons/send'
import Settings from 'lucide-react/icons/settings'
import Waypoints from 'lucide-react/icons/waypoints'
import Wrench from 'lucide-react/icons/wrench'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.tsx'
import { useWaiting } from '../api/waiting.tsx'
import { Mark } from '../parts/mark.tsx'
import { Link } from '../url/link.tsx'
import { getPagePath, PAGES, type PageName, SECTIONS } from '../url/pages.ts'
import './nav.css'

const ICONS: Readonly<Record<PageName, LucideIcon>> = {
  overview: LayoutDashboard,
  inbox: Inbox,
  flows: Waypoints,
  executions: Send,
  events: Radio,
  agents: Bot,
  policies: Scale,
  monitors: Activity,
  tools: Wrench,
  ledger: Blocks,
  world: Globe,
  artifacts: FileDiff,
  settings: Settings,
}

export function Nav({
  page,
  followed,
}: {
  readonly page: PageName | null
  /** Somebody chose a page. */
  readonly followed?: () => void
}): ReactNode {
  const { tenant } = useSession().session
  return (
    <nav className="nav" aria-label="pages">
      <Link
        className="nav-name"
        href="/"
        {...(followed === undefined ? {} : { onClick: followed })}
      >
        <Mark />
        <span>Rubicon</span>
        <span className="nav-tenant small quiet">{tenant}</span>
      </Link>
      {SECTIONS.map(({ title, pages }) => (
        <div className="nav-section" key={pages[0]}>
          {title === null ? null : <p className="nav-title">{title}</p>}
          <ul {...(title === null ? {} : { 'aria-label': title })}>
            {pages.map((name) => (
              <li key={name}>
                <PageLink name={name} isHere={name === page} followed={followed} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function PageLink({
  name,
  isHere,
  followed,
}: {
  readonly name: PageName
  readonly isHere: boolean
  readonly followed: (() => void) | undefined
}): ReactNode {
  const Icon = ICONS[name]
  return (
    <Link
      className="nav-page"
      href={getPagePath(name)}
      title={PAGES[name].question}
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
      {...(followed === undefined ? {} : { onClick: followed })}
    >
      <Icon className="icon" aria-hidden="true" />
      {PAGES[name].title}
      {name === 'inbox' ? <WaitingBadge /> : null}
    </Link>
  )
}

/** How many wait; nothing where none does. */
export function WaitingBadge(): ReactNode {
  const waiting = useWaiting() ?? 0
  if (waiting === 0) return null
  return (
    <span className="nav-badge">
      {waiting}
      <span className="unseen"> {waiting === 1 ? 'waits' : 'wait'}</span>
    </span>
  )
}
