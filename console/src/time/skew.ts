import { useMemo } from 'react'

/**
 * How far the runtime's clock is ahead of this one, by what it said last. What may be done when is
 * decided by that clock, whatever the one on the wall of the reader says.
 */
export function useSkew(said: string | undefined): number {
  return useMemo(() => (said === undefined ? 0 : Date.parse(said) - Date.now()), [said])
}
