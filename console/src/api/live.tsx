/**
 * What happens while the page is open. One stream serves all pages: a bell that says what moved, upon
 * which a page reads again what it shows. A reader can pause it; what rang meanwhile rings once.
 */
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Session } from 'rubicon-agents/client'
import { type EntryEvent, listen } from 'rubicon-agents/events'

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'paused'

export type Live = {
  readonly state: LiveState
  readonly changePause: (paused: boolean) => void
  readonly hear: (ring: (event: EntryEvent) => void) => () => void
}

const LiveContext = createContext<Live>({
  state: 'connecting',
  changePause: () => {},
  hear: () => () => {},
})

export function LiveProvider({
  session,
  lost,
  children,
}: {
  /** A new session listens anew. */
  readonly session: Session
  /** The server no longer knows the session. */
  readonly lost: () => void
  readonly children: ReactNode
}): ReactNode {
  const [connection, setConnection] = useState<'connecting' | 'live' | 'reconnecting'>('connecting')
  const [paused, setPaused] = useState(false)
  const ears = useRef(new Set<(event: EntryEvent) => void>())
  const missed = useRef<EntryEvent[]>([])
  const isPaused = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever signs in again is heard again
  useEffect(() => {
    const listening = listen({
      onEvent(event) {
        if (isPaused.current) missed.current = [...missed.current.slice(-MISSED), event]
        else for (const ring of ears.current) ring(event)
      },
      onState: setConnection,
      onRefused: ({ status }) => void (status === 401 && lost()),
    })
    // A page that nobody looks at does not listen: browsers open few connections to one host. When it
    // is looked at again, it hears what it missed.
    const look = (): void => (document.hidden ? listening.pause() : listening.resume())
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      listening.stop()
    }
  }, [session.csrf, lost])
  const live = useMemo<Live>(
    () => ({
      state: paused ? 'paused' : connection,
      changePause(chosen) {
        isPaused.current = chosen
        setPaused(chosen)
        if (chosen) return
        const rung = missed.current
        missed.current = []
        for (const event of rung) for (const ring of ears.current) ring(event)
      },
      hear(ring) {
        ears.current.add(ring)
        return () => void ears.current.delete(ring)
      },
    }),
    [connection, paused],
  )
  return <LiveContext value={live}>{children}</LiveContext>
}

/** Enough to know what to read again. */
const MISSED = 1_000

export function useLive(): Live {
  return useContext(LiveContext)
}

const GATHER_MS = 300

/**
 * Calls `moved` when something happened that concerns the caller; what comes in a burst is one call.
 */
export function useBell(
  concerns: (event: EntryEvent) => boolean,
  moved: () => void,
  gatherMs: number = GATHER_MS,
): void {
  const { hear } = useLive()
  const latest = useRef({ concerns, moved })
  latest.current = { concerns, moved }
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    const leave = hear((event) => {
      if (timer !== null || !latest.current.concerns(event)) return
      timer = setTimeout(() => {
        timer = null
        latest.current.moved()
      }, gatherMs)
    })
    return () => {
      leave()
      if (timer !== null) clearTimeout(timer)
    }
  }, [hear, gatherMs])
}
