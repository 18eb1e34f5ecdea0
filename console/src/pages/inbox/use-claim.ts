/** Who looks after a request, as whoever is signed in sees it, and how they change that. */
import { useState } from 'react'
import type { AnyProblem, RequestClaim } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'

export type Claiming = {
  readonly busy: boolean
  readonly problem: AnyProblem | null
  /** Claims it, takes it over from whom the page names, or gives it back. */
  readonly toggle: () => Promise<void>
  /** Ends the claim of another. */
  readonly release: () => Promise<void>
  /** Gives it to somebody by their name; false: it was refused. */
  readonly assign: (to: string) => Promise<boolean>
}

/** The claim, if it is somebody else's. */
export function findOthersClaim(claimed: RequestClaim | null): RequestClaim | null {
  return claimed === null || claimed.yours ? null : claimed
}

export function useClaim(id: string, claimed: RequestClaim | null, changed: () => void): Claiming {
  const { client } = useSession()
  const others = findOthersClaim(claimed)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<AnyProblem | null>(null)
  const ask = async (
    change: () => Promise<
      { readonly ok: true } | { readonly ok: false; readonly problem: AnyProblem }
    >,
  ): Promise<boolean> => {
    if (busy) return false
    setBusy(true)
    const answer = await change()
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    changed()
    return answer.ok
  }
  const insteadOf = others === null ? {} : { instead_of: others.by }
  const release = async (): Promise<void> => {
    const query = others === null ? {} : { of: others.by }
    await ask(() => client.releaseEscalation({ params: { id }, query }))
  }
  const claim = async (): Promise<void> => {
    await ask(() => client.claimEscalation({ params: { id }, body: insteadOf }))
  }
  const assign = (to: string): Promise<boolean> =>
    ask(() => client.claimEscalation({ params: { id }, body: { ...insteadOf, for: to } }))
  const toggle = claimed !== null && others === null ? release : claim
  return { busy, problem, release, toggle, assign }
}
