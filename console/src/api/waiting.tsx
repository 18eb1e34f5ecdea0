/** How many requests wait for whoever is signed in: beside the inbox, in the tab's title, on the overview. */
import { createContext, type ReactNode, useContext } from 'react'
import { useBell } from './live.tsx'
import { useLookAgain } from './use-look-again.ts'
import { useReply } from './use-reply.ts'

/** Null: not known. */
const WaitingContext = createContext<number | null>(null)

/** Entries after which something may wait that did not, or not any more. */
const MOVING: readonly string[] = ['pending_approval', 'approval', 'rejection', 'dispatch']
/** What expires rings no bell. */
const LOOK_MS = 30_000

export function WaitingProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { reply, again } = useReply('waiting', (client, signal) =>
    client.listInbox({ query: { tab: 'mine', limit: '1' }, signal }),
  )
  useBell(({ kind }) => MOVING.includes(kind), again)
  useLookAgain(again, LOOK_MS)
  const count = reply.state === 'ready' ? reply.value.waiting.mine + reply.value.waiting.fast : null
  return <WaitingContext value={count}>{children}</WaitingContext>
}

export function useWaiting(): number | null {
  return useContext(WaitingContext)
}
