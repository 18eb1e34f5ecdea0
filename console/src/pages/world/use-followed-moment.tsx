/** The beginning of a page about one moment of a trajectory: its bell, what is shown while it waits, and where it fails. */
import type { ReactNode } from 'react'
import { useBell } from '../../api/live.tsx'
import type { Reply } from '../../api/use-reply.ts'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { go } from '../../url/location.ts'

type Asked<T> = Reply<T> & { again(): void }

type FollowedPage = {
  readonly trajectory: string
  /** Empty: live. */
  readonly at: string
  /** What is waited for, such as `the world`. */
  readonly what: string
  /** The same page at the latest entry. */
  readonly latest: string
}

/** Both moments, or what stands in place of them. */
export type FollowedMoment<T> =
  | { readonly head: T; readonly now: T }
  | { readonly instead: ReactNode }

/** `head`: at the last entry; `now`: at the one that is asked for. An entry of the trajectory asks anew for what can have changed. */
export function useFollowedMoment<T>(
  { trajectory, at, what, latest }: FollowedPage,
  head: Asked<T>,
  now: Asked<T>,
): FollowedMoment<T> {
  useBell(
    ({ trajectory: moved }) => moved === trajectory,
    () => {
      head.again()
      if (at === '') now.again()
    },
  )
  if (head.state === 'failed')
    return { instead: <Failed problem={head.problem} again={head.again} /> }
  if (head.state === 'loading' || now.state === 'loading')
    return { instead: <Loading what={what} shape="detail" /> }
  if (now.state === 'ready') return { head: head.value, now: now.value }
  return {
    instead: (
      <>
        <Failed problem={now.problem} again={now.again} />
        <p className="world-back">
          <button type="button" onClick={() => go(latest)}>
            Show the latest entry
          </button>
        </p>
      </>
    ),
  }
}
