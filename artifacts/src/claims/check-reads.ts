/** Whether what a claim relied on is still what it was. */
import type { ReadClaim } from 'rubicon-kernel'
import type { DeltaProblem } from '../delta/plan.ts'
import { type DefinitionRule, hashDefinition, hashHeader } from '../tree/definition-hash.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { toPathText } from './symbol-segments.ts'

/** Null: all of it is. Reads of other artifacts are for those who have them. */
export function checkReads(
  parsed: ParsedText,
  reads: readonly ReadClaim[],
  rule: DefinitionRule,
): DeltaProblem | null {
  const changed: string[] = []
  for (const read of reads) {
    if (read.kind !== 'symbol' || read.artifact !== undefined) continue
    const path = toPathText(read.path)
    const found = findSymbol(parsed, path)
    const hash = read.part === 'header' ? hashHeader : hashDefinition
    if (!found.ok || hash(parsed, found.value, rule) !== read.hash) changed.push(path)
  }
  if (changed.length === 0) return null
  const names = changed.map((path) => `\`${path}\``).join(', ')
  return {
    code: 'DELTA_STALE',
    detail: `what it refers to has changed since: ${names}`,
    candidates: changed,
  }
}
