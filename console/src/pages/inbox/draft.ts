/**
 * What somebody has typed about a request and not sent yet. It is kept in the window, so that it
 * outlives a list that changes, a server that stops and a session that ends; never longer than the tab.
 */
import { useCallback, useState } from 'react'

export type Draft = {
  readonly acknowledgement: string
  readonly reason: string
  /** Of a MODIFY, as texts of its fields; null: none was begun. */
  readonly fields: Readonly<Record<string, string>> | null
}

/** What nobody has touched says nothing: no reason is at hand for whoever has none. */
export const UNTOUCHED: Draft = { acknowledgement: '', reason: '', fields: null }
/** Where a browser keeps nothing. */
const remembered = new Map<string, string>()

export function useDraft(
  id: string,
): readonly [Draft, (change: Partial<Draft>) => void, () => void] {
  const [held, hold] = useState(() => ({ id, draft: readDraft(id) }))
  const draft = held.id === id ? held.draft : readDraft(id)
  const change = useCallback(
    (members: Partial<Draft>) => {
      const next = { ...readDraft(id), ...members }
      write(id, JSON.stringify(next))
      hold({ id, draft: next })
    },
    [id],
  )
  const drop = useCallback(() => {
    write(id, null)
    hold({ id, draft: UNTOUCHED })
  }, [id])
  return [draft, change, drop]
}

function readDraft(id: string): Draft {
  try {
    return parseDraft(sessionStorage.getItem(toDraftKey(id)) ?? remembered.get(id) ?? null)
  } catch {
    return parseDraft(remembered.get(id) ?? null)
  }
}

function write(id: string, text: string | null): void {
  if (text === null) remembered.delete(id)
  else remembered.set(id, text)
  try {
    if (text === null) sessionStorage.removeItem(toDraftKey(id))
    else sessionStorage.setItem(toDraftKey(id), text)
  } catch {
    // Private windows refuse; it lasts as long as the page.
  }
}

function toDraftKey(id: string): string {
  return `rubicon.draft.${id}`
}

/** We wrote it. */
function parseDraft(text: string | null): Draft {
  return text === null ? UNTOUCHED : { ...UNTOUCHED, ...(JSON.parse(text) as Partial<Draft>) }
}
