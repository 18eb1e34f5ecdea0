/** Whether what was opened from a list is the whole page: the width at which `list-detail.css` says so. */
import { useSyncExternalStore } from 'react'

const NARROW = '(max-width: 900px)'

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow)
}

function isNarrow(): boolean {
  return matchMedia(NARROW).matches
}

function subscribe(changed: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
