/** Policies: what would another rule have decided? */
import type { ReactNode } from 'react'
import { useReply } from '../../api/use-reply.ts'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { Playground } from './playground.tsx'

export function PoliciesPage(): ReactNode {
  const { reply, again } = useReply('law', (client, signal) => client.getLaw({ signal }))
  return (
    <Page name="policies">
      {reply.state === 'loading' ? <Loading what="the rules" shape="detail" /> : null}
      {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
      {reply.state === 'ready' ? <Playground law={reply.value} /> : null}
    </Page>
  )
}
