import { useEffect, useState } from 'react'
import { usePlace } from '../../url/location.ts'
import { draftFragment, NO_DRAFT, type PolicyDraft, parseDraft } from './draft.ts'

export type HeldDraft = {
  readonly draft: PolicyDraft
  readonly change: (members: Partial<PolicyDraft>) => void
  readonly startOver: () => void
  readonly isChanged: boolean
}

/** A draft that the address follows, and keeps when something else of the address changes. */
export function useDraft(): HeldDraft {
  const { path, query } = usePlace()
  const [draft, setDraft] = useState<PolicyDraft>(() => parseDraft(location.hash))
  const fragment = draftFragment(draft)
  useEffect(() => {
    const search = query.size === 0 ? '' : `?${query}`
    history.replaceState(null, '', `${path}${search}${fragment}`)
  }, [fragment, path, query])
  return {
    draft,
    change: (members) => setDraft((held) => ({ ...held, ...members })),
    startOver: () => setDraft(NO_DRAFT),
    isChanged: fragment !== '',
  }
}
