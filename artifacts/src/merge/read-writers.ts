/** The two sides of a merge as writers of the merged text. */
import type { ParsedText } from '../tree/parsed.ts'
import type { Writer } from './find-other-meaning.ts'
import { matchWords } from './match-words.ts'
import type { SideName } from './merge.ts'

/** None: the texts have too little in common to say what is whose. */
export function readWriters(
  merged: ParsedText,
  sides: Readonly<Record<SideName, ParsedText>>,
): readonly Writer[] {
  const writers: Writer[] = []
  for (const who of ['ours', 'theirs'] as const) {
    const parsed = sides[who]
    const toMerged = matchWords(parsed, merged)
    const kept = matchWords(sides.base, parsed)
    if (toMerged === null || kept === null) return []
    const known = new Set(kept.values())
    writers.push({ who, parsed, toMerged, isKnown: (start) => known.has(start) })
  }
  return writers
}
