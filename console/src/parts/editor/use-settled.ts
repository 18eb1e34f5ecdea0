import { useEffect, useState } from 'react'

const PAUSE_MS = 300

/** What somebody types, once they pause: not every letter is a question. */
export function useSettled(typed: string): string {
  const [settled, settle] = useState(typed)
  useEffect(() => {
    if (settled === typed) return
    const timer = setTimeout(() => settle(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, settled])
  return settled
}
