/** To the request that ends first: of what waits for whoever is signed in, then of what is of low impact. */
import { useClient } from '../api/session.tsx'
import { useToast } from '../parts/toast.tsx'
import { go } from '../url/location.ts'

const TABS = ['mine', 'fast'] as const

export function useNextRequest(): () => Promise<void> {
  const client = useClient()
  const say = useToast()
  return async () => {
    for (const tab of TABS) {
      const answer = await client.listInbox({ query: { tab, sort: 'expires', limit: '1' } })
      if (!answer.ok) return say({ text: `Nobody knows what waits: ${answer.problem.detail}` })
      const [next] = answer.body.requests
      if (next === undefined) continue
      const place = tab === 'fast' ? '?in=fast' : ''
      return go(`/inbox/${encodeURIComponent(next.id)}${place}`)
    }
    say({ text: 'Nothing waits for you.' })
  }
}
