/**
 * The address holds everything: which page, which row, which filter. Whatever is on the screen can be
 * pasted into an incident.
 */
import { useCallback, useSyncExternalStore } from 'react'

export type Place = {
  /** `/flows/0199…` */
  readonly path: string
  readonly query: URLSearchParams
}

export type Going = {
  /** Instead of the place that is left: filters and selections do not fill the history. */
  readonly replace?: boolean
}

const MOVED = 'rubicon:moved'

let current = readPlace()

export function readPlace(): Place {
  const { pathname, search } = globalThis.location ?? { pathname: '/', search: '' }
  return { path: pathname, query: new URLSearchParams(search) }
}

function subscribe(changed: () => void): () => void {
  const handleMoved = (): void => {
    current = readPlace()
    changed()
  }
  window.addEventListener('popstate', handleMoved)
  window.addEventListener(MOVED, handleMoved)
  return () => {
    window.removeEventListener('popstate', handleMoved)
    window.removeEventListener(MOVED, handleMoved)
  }
}

export function usePlace(): Place {
  return useSyncExternalStore(subscribe, () => current)
}

export function go(to: string, { replace = false }: Going = {}): void {
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  window.dispatchEvent(new Event(MOVED))
}

/** A member of the query, and how to change it; an empty one is left out. */
export function useQuery(name: string, usual = ''): readonly [string, (value: string) => void] {
  const { query } = usePlace()
  const change = useCallback(
    (value: string) =>
      go(replaceQuery({ [name]: value === usual ? '' : value }), { replace: true }),
    [name, usual],
  )
  return [query.get(name) ?? usual, change]
}

/** This place with other members; an empty one is left out. */
export function replaceQuery(members: Readonly<Record<string, string>>): string {
  const { path, query } = readPlace()
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(members)) {
    if (value === '') changed.delete(name)
    else changed.set(name, value)
  }
  const text = changed.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Other members at this place; filters do not fill the history. */
export function changeQuery(members: Readonly<Record<string, string>>): void {
  go(replaceQuery(members), { replace: true })
}
