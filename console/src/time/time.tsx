/** One tick for the whole page, and the reader's choice between UTC and local time. */
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { readChoice, writeChoice } from '../choice.ts'

export type Time = { readonly utc: boolean; readonly setUtc: (utc: boolean) => void }

const TimeContext = createContext<Time>({ utc: false, setUtc: () => {} })

export function TimeProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [utc, change] = useState(() => readChoice('utc') === 'yes')
  const time = useMemo<Time>(
    () => ({
      utc,
      setUtc(chosen) {
        writeChoice('utc', chosen ? 'yes' : 'no')
        change(chosen)
      },
    }),
    [utc],
  )
  return <TimeContext value={time}>{children}</TimeContext>
}

export function useTime(): Time {
  return useContext(TimeContext)
}

const TICK_MS = 1_000
const listeners = new Set<() => void>()
let now = Date.now()
let ticking: ReturnType<typeof setInterval> | null = null

function listen(changed: () => void): () => void {
  listeners.add(changed)
  ticking ??= setInterval(() => {
    now = Date.now()
    for (const heard of listeners) heard()
  }, TICK_MS)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0 || ticking === null) return
    clearInterval(ticking)
    ticking = null
  }
}

/** Now, to the second. */
export function useNow(): number {
  const value = useSyncExternalStore(listen, () => now)
  useEffect(() => {
    now = Math.max(now, Date.now())
  }, [])
  return value
}
