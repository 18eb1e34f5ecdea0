/**
 * Three-way merge by symbols. Pure: git's own merge of lines is handed in.
 *
 * G1 changes to different symbols go together, wherever their lines are; every byte of the result is a byte of one of the three texts,
 *    but for separators, names of imports, and what git merged of one symbol.
 * G2 a clean merge does not depend on which side is called ours.
 * G3 changes that touch no common symbol and do not go together are conflicts, with a reason; they are never left to git, which
 *    would not see them.
 * G4 where the structure does not help, the whole text goes to git's own merge; of a text that parsed on all sides, a result that
 *    does not is a conflict.
 */
import type { Format } from '../formats/format.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { detectLineBreak } from '../text/lines.ts'
import { findMergeProblem, type ParsedSides, renderSegments } from './check-merged.ts'
import { findUseConflicts, type UseConflict } from './find-use-conflicts.ts'
import { toRootHolder } from './holder.ts'
import { listChanges } from './list-changes.ts'
import {
  type ChangingSide,
  DEFAULT_MARKERS,
  type MarkerStyle,
  type MergeConflict,
  type MergeInput,
  type MergeLines,
  type MergeResult,
  type Segment,
} from './merge.ts'
import type { Holders, MergeContext } from './merge-context.ts'
import { mergeMember, mergeSpans } from './merge-member.ts'
import { mergeMembers } from './merge-members.ts'

export type MergeTools = { readonly mergeLines: MergeLines; readonly markers?: MarkerStyle }

/** `format`: undefined where nothing reads such texts. */
export function mergeTexts(
  input: MergeInput,
  format: Format | undefined,
  { mergeLines, markers = DEFAULT_MARKERS }: MergeTools,
): MergeResult {
  const { base, ours, theirs } = input
  if (ours === theirs || theirs === base) return toMerged(ours)
  if (ours === base) return toMerged(theirs)
  if (format === undefined) return mergeWhole(input, mergeLines, 'no format reads it')
  const sides = parseSides(input, format)
  if (typeof sides === 'string') return mergeWhole(input, mergeLines, sides)
  return mergeParsed(sides, format, { mergeLines, markers })
}

function toMerged(text: string): MergeResult {
  return { text, conflicts: [], by: 'symbols', fallback: null }
}

function parseSides(input: MergeInput, format: Format): ParsedSides | string {
  for (const side of ['base', 'ours', 'theirs'] as const)
    if (input[side].length > ARTIFACT_LIMITS.bytes) return `${side} is too large to be parsed`
  const [base, ours, theirs] = [input.base, input.ours, input.theirs].map((text) =>
    format.parse(text),
  )
  if (!base?.ok) return 'base does not parse'
  if (!ours?.ok) return 'ours does not parse'
  if (!theirs?.ok) return 'theirs does not parse'
  return { base: base.value, ours: ours.value, theirs: theirs.value }
}

function mergeParsed(
  sides: ParsedSides,
  format: Format,
  { mergeLines, markers }: Required<MergeTools>,
): MergeResult {
  const holders: Holders = {
    base: toRootHolder('base', sides.base),
    ours: toRootHolder('ours', sides.ours),
    theirs: toRootHolder('theirs', sides.theirs),
  }
  const changes = {
    ours: listChanges(holders.base, holders.ours),
    theirs: listChanges(holders.base, holders.theirs),
  }
  // Names of keys mean nothing elsewhere in a text of values.
  const uses = format.type === 'code' ? findUseConflicts(changes) : []
  const forced = { ours: toReasons(uses, 'ours'), theirs: toReasons(uses, 'theirs') }
  let fallback = 'its members do not go together'
  for (const trustsLines of [true, false]) {
    const context = { mergeLines, markers, changes, forced, trustsLines, conflicts: [...uses] }
    const segments = mergeRoot(context, holders)
    if (segments === null) continue
    const text = renderSegments(segments, sides)
    const conflicts = context.conflicts.map(toPlainConflict)
    if (conflicts.length > 0) return { text, conflicts, by: 'symbols', fallback: null }
    const problem = findMergeProblem(text, segments, sides, format)
    if (problem === null) return toMerged(text)
    fallback = problem
  }
  return mergeParsedLines(sides, format, { mergeLines, markers }, uses, fallback)
}

function toReasons(uses: readonly UseConflict[], of: ChangingSide): ReadonlyMap<string, string> {
  return new Map(uses.flatMap(({ side, path, reason }) => (side === of ? [[path, reason]] : [])))
}

function toPlainConflict({ kind, path, reason }: MergeConflict): MergeConflict {
  return { kind, path, reason }
}

function mergeRoot(context: MergeContext, holders: Holders): readonly Segment[] | null {
  const { base, ours, theirs } = holders
  const inside = [base, ours, theirs].map(({ container }) => container)
  if (new Set(inside.map(({ separator }) => separator)).size > 1) return null
  const mergeAround = (isHead: boolean): readonly Segment[] | null => {
    const cut = ({ container, parsed: { text } }: (typeof holders)['base']) =>
      isHead
        ? { start: 0, end: container.inside.start }
        : { start: container.inside.end, end: text.length }
    return mergeSpans(context, holders, { base: cut(base), ours: cut(ours), theirs: cut(theirs) })
  }
  const head = mergeAround(true)
  const members = head === null ? null : mergeMembers(context, holders, mergeMember)
  const foot = mergeAround(false)
  if (head === null || members === null || foot === null) return null
  return [...head, ...members, ...foot]
}

function mergeWhole(input: MergeInput, mergeLines: MergeLines, fallback: string): MergeResult {
  const { isClean, text } = mergeLines(input)
  const reason = 'both sides changed these lines'
  const conflicts: readonly MergeConflict[] = isClean ? [] : [{ kind: 'text', path: '', reason }]
  return { text, conflicts, by: 'lines', fallback }
}

/** G3, G4: a clean merge of lines is taken only if nothing speaks against it. */
function mergeParsedLines(
  sides: ParsedSides,
  format: Format,
  { mergeLines, markers }: Required<MergeTools>,
  uses: readonly UseConflict[],
  fallback: string,
): MergeResult {
  const [base, ours, theirs] = [sides.base.text, sides.ours.text, sides.theirs.text]
  const merged = mergeWhole({ base, ours, theirs }, mergeLines, fallback)
  const known = uses.map(toPlainConflict)
  if (merged.conflicts.length > 0) return { ...merged, conflicts: [...known, ...merged.conflicts] }
  const problem = findMergeProblem(merged.text, null, sides, format)
  if (problem === null && known.length === 0) return merged
  const reason = known[0]?.reason ?? problem ?? fallback
  const conflicts = known.length > 0 ? known : [{ kind: 'text' as const, path: '', reason }]
  return { ...merged, text: markWhole({ base, ours, theirs }, markers, reason), conflicts }
}

/** Both texts, one after the other. */
function markWhole(
  { ours, theirs }: MergeInput,
  { size, labels }: MarkerStyle,
  reason: string,
): string {
  const lineBreak = detectLineBreak(ours)
  const close = (text: string): string => (text.endsWith('\n') ? text : `${text}${lineBreak}`)
  return [
    `${'<'.repeat(size)} ${labels.ours}${lineBreak}${close(ours)}`,
    `${'='.repeat(size)}${lineBreak}${close(theirs)}`,
    `${'>'.repeat(size)} ${labels.theirs} (${reason})${lineBreak}`,
  ].join('')
}
