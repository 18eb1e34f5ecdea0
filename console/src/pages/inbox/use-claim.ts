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
  ): Promise<void> => {
    if (busy) return
    setBusy(true)
    const answer = await change()
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    changed()
  }
  const release = (): Promise<void> =>
    ask(() =>
      client.releaseEscalation({
        params: { id },
        query: others === null ? {} : { of: others.by },
      }),
    )
  const claim = (): Promise<void> =>
    ask(() =>
      client.claimEscalation({
        params: { id },
        body: others === null ? {} : { instead_of: others.by },
      }),
    )
  return { busy, problem, release, toggle: claimed !== null && others === null ? release : claim }
}
