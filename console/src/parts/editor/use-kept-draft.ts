import { useEffect, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import {
  type DraftPlace,
  type KeptDraft,
  readKeptDraft,
  toDraftKey,
  writeKeptDraft,
} from './kept-draft.ts'

export type HeldText = {
  readonly draft: KeptDraft | null
  /** Null: it is thrown away. */
  readonly keep: (draft: KeptDraft | null) => void
  /** The browser keeps it. */
  readonly isKept: boolean
}

/** The draft of whoever is signed in. Another tab that changes it is followed while this one is not looked at. */
export function useKeptDraft({ kind, name }: Pick<DraftPlace, 'kind' | 'name'>): HeldText {
  const { session } = useSession()
  const key = toDraftKey({ tenant: session.tenant, person: session.name, kind, name })
  const [held, hold] = useState(() => ({ key, draft: readKeptDraft(getShelf, key), isKept: true }))
  const current =
    held.key === key ? held : { key, draft: readKeptDraft(getShelf, key), isKept: true }
  useEffect(() => {
    const follow = (event: StorageEvent): void => {
      if (event.key !== key || !document.hidden) return
      hold({ key, draft: readKeptDraft(getShelf, key), isKept: true })
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [key])
  return {
    draft: current.draft,
    isKept: current.isKept,
    keep: (draft) => hold({ key, draft, isKept: writeKeptDraft(getShelf, key, draft) }),
  }
}

function getShelf(): Storage {
  return localStorage
}
