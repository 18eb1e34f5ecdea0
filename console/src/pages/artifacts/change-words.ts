/** Changes of an artifact in words: which were taken back, and which concern a symbol. */
import type { ArtifactChange } from 'rubicon-agents/client'
import type { StatusProps } from '../../parts/status.tsx'
import { toSymbolPath } from './symbol-rows.ts'

/** As many symbols of a change as the server names. */
const NAMED = 64

const WORDS: Readonly<Record<NonNullable<ArtifactChange['what']>, string>> = {
  changes: 'changed',
  undo: 'took back',
  merge: 'merged a branch',
  adopt: 'adopted as it was',
  revert: 'reverted',
}

export function describeChange({ what, after }: Pick<ArtifactChange, 'what' | 'after'>): string {
  if (after === null) return 'removed'
  return what === null ? 'changed; its record cannot be read' : WORDS[what]
}

/** By the address of a change, the seq of the one that took it back, unless that was taken back itself. */
export function listUndone(changes: readonly ArtifactChange[]): ReadonlyMap<string, number> {
  const undone = new Map<string, number>()
  // The newest first: what takes back comes before what it takes back.
  for (const { seq, change, undoes } of changes.toSorted((one, other) => other.seq - one.seq))
    if (undoes !== null && (change === null || !undone.has(change))) undone.set(undoes, seq)
  return undone
}

export function describeStanding(
  change: ArtifactChange,
  undone: ReadonlyMap<string, number>,
): StatusProps | null {
  const by = change.change === null ? undefined : undone.get(change.change)
  return by === undefined ? null : { standing: 'repeated', word: `undone at entry ${by}` }
}

/** Of the symbol itself, of what it holds, or of what holds it; and whatever does not say which it wrote. */
export function isAbout(change: ArtifactChange, path: string): boolean {
  const { name, symbols } = change
  if (path === '' || symbols.length === 0 || symbols.length >= NAMED) return true
  return symbols.some((symbol) => {
    const written = toSymbolPath(symbol, name)
    if (written === null) return false
    const isInside = written.startsWith(`${path}/`)
    return written === '' || written === path || isInside || path.startsWith(`${written}/`)
  })
}
