/**
 * What a change has to do with values that a text means in several places (anchors of YAML).
 *
 * A1 whoever puts in an alias, or takes one out, relies on the whole value that it stands for.
 * A2 whoever puts a member into such a value changes it for all who mean it.
 */
import type { InsertClaim, ReadClaim } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { isOverlapping, type Span } from '../text/span.ts'
import type { DefinitionRule } from '../tree/definition-hash.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { ClaimedStep } from './claimed-step.ts'
import { readDefinition } from './list-reads.ts'
import { toPathText } from './symbol-segments.ts'

type Shared = Pick<Format, 'readShared'>

/** A1. Of what the change itself puts in, nothing is read. */
export function listAliased(
  { before, after, splices }: ClaimedStep,
  { readShared }: Shared,
  rule: DefinitionRule,
): readonly ReadClaim[] {
  const listOf = (parsed: ParsedText, spans: readonly Span[]): readonly string[] =>
    (readShared?.(parsed).aliases ?? [])
      .filter(({ at }) => spans.some((span) => isOverlapping(span, at)))
      .map(({ of }) => of)
  const paths = [...listOf(before, splices), ...listOf(after, listPutSpans(splices))]
  return [...new Set(paths)].flatMap((path) => {
    const found = findSymbol(before, path)
    return found.ok ? [readDefinition(before, found.value, rule)] : []
  })
}

/** A2. */
export function listAnchored(
  { before }: ClaimedStep,
  inserts: readonly InsertClaim[],
  { readShared }: Shared,
): readonly string[] {
  const containers = inserts.map(({ container }) => toPathText(container))
  return (readShared?.(before).anchored ?? []).filter((path) =>
    containers.some((one) => one === path || one.startsWith(`${path}/`)),
  )
}
