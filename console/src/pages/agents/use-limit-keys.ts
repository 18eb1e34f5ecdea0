/** `l` selects the figures of limits, one after the other; `?do=limit` begins with the first. */
import { type RefObject, useRef } from 'react'
import { useKeys } from '../../keys/keys.tsx'
import type { EditorHandle } from '../../parts/editor/editor.tsx'
import { useQuery } from '../../url/location.ts'
import { findLimits } from './contract-draft.ts'

/** Called once the text can be edited. */
export function useLimitKeys(
  editor: RefObject<EditorHandle | null>,
  text: string,
  mayDeploy: boolean,
): () => void {
  const [named] = useQuery('do')
  const last = useRef(-1)
  const selectLimit = (): void => {
    const limits = findLimits(text)
    last.current = (last.current + 1) % Math.max(1, limits.length)
    const limit = limits[last.current]
    if (limit !== undefined) editor.current?.selectRange(...limit)
  }
  useKeys(mayDeploy ? [{ keys: 'l', does: 'change the next limit', run: selectLimit }] : [])
  return () => {
    if (mayDeploy && named === 'limit') selectLimit()
  }
}
