/** Policies: what is in force, and what would another rule have decided? */
import type { ReactNode } from 'react'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { Link } from '../../url/link.tsx'
import { usePlace } from '../../url/location.ts'
import { LawView } from './law-view.tsx'
import { Playground } from './playground.tsx'
import { isTrying } from './policies-view.ts'

export function PoliciesPage(): ReactNode {
  const { query } = usePlace()
  const { reply, again } = useReply('law', (client, signal) => client.getLaw({ signal }))
  useBell(({ kind }) => kind === 'policy' || kind === 'contract', again)
  const trying = isTrying(query, location.hash)
  return (
    <Page
      name="policies"
      actions={
        <nav className="tabs policies-views" aria-label="views of the policies">
          <View href="/policies" label="In force" isOpen={!trying} />
          <View href="/policies?view=try" label="Playground" isOpen={trying} />
        </nav>
      }
    >
      {reply.state === 'loading' ? <Loading what="the rules" shape="detail" /> : null}
      {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
      {reply.state === 'ready' && trying ? <Playground law={reply.value} /> : null}
      {reply.state === 'ready' && !trying ? <LawView law={reply.value} /> : null}
    </Page>
  )
}

function View({
  href,
  label,
  isOpen,
}: {
  readonly href: string
  readonly label: string
  readonly isOpen: boolean
}): ReactNode {
  return (
    <Link className="tab" href={href} {...(isOpen ? { 'aria-current': 'page' as const } : {})}>
      {label}
    </Link>
  )
}
