import { useEffect } from 'react'
import { useLive } from './live.tsx'

/** Looks again and again while `wanted`, for what rings no bell; not while the reader has paused. */
export function useLookAgain(again: () => void, everyMs: number, wanted = true): void {
  const { state } = useLive()
  const looks = wanted && state !== 'paused'
  useEffect(() => {
    if (!looks) return
    const timer = setInterval(again, everyMs)
    return () => clearInterval(timer)
  }, [again, everyMs, looks])
}
