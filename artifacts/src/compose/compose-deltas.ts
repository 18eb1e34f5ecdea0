/**
 * Composes the deltas of several authors, all made for one base, into one change.
 *
 * B1 every entry is planned on the base by itself, and its claims are checked with those of all others: what cannot be composed is refused
 *    before anything is put together, and all of the batch with it.
 * B2 the result has the same bytes for any permutation of the batch: entries without an order come first, by key, then by the names that
 *    they put in, and what only takes something out behind the others; then those with an order. What several put in at one place stands in that order.
 * B3 paths are those of the base: what an earlier entry did does not make a path of a later one mean another symbol.
 * B4 behind it there is exactly what the entries put in and took out, each by itself: nothing came of their being together.
 * B5 a name that an entry puts in means what it means where its author saw it: no other entry brings or takes what it stands for.
 */
import { checkComposition, err, ok, type StrategyTree } from 'rubicon-kernel'
import { checkReads } from '../claims/check-reads.ts'
import { claimPlan } from '../claims/claim-delta.ts'
import { checkSchema } from '../delta/check-schema.ts'
import { findOtherTile } from '../delta/find-collateral.ts'
import { findDangling } from '../delta/find-dangling.ts'
import { planDeltas } from '../delta/plan-deltas.ts'
import type { Format } from '../formats/format.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { findOtherMeaning } from '../merge/find-other-meaning.ts'
import { TextHistory } from '../text/history.ts'
import { invertSplices } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type {
  BatchEntry,
  BatchProblem,
  ComposedEntry,
  ComposeOptions,
  ComposeResult,
} from './batch.ts'
import { findOverlap } from './find-overlap.ts'
import { findSurplus } from './find-surplus.ts'
import { planOnto } from './plan-onto.ts'
import { type PlannedEntry, sortEntries } from './planned-entry.ts'
import { readEntryWriter } from './read-entry-writer.ts'

export function composeDeltas(
  parsed: ParsedText,
  batch: readonly BatchEntry[],
  strategy: StrategyTree,
  format: Format,
  options: ComposeOptions,
): ComposeResult {
  const planned: PlannedEntry[] = []
  if (batch.length === 0 || batch.length > ARTIFACT_LIMITS.batchEntries)
    return err({
      code: 'TARGET_UNFIT',
      detail: `a batch has 1 to ${ARTIFACT_LIMITS.batchEntries} entries`,
    })
  for (const entry of batch) {
    const one = planEntry(parsed, entry, format, options)
    if (!('plan' in one)) return err(one)
    planned.push(one)
  }
  const problems = checkComposition(
    strategy,
    planned.map(({ claims }) => claims),
  )
  const [first] = problems
  if (first !== undefined) {
    const between = first.between.map((key) => `\`${key}\``).join(' and ')
    const detail = `${first.kind} of ${between} at \`${first.path.join('/')}\``
    return err({ code: 'CLAIMS_CONFLICT', detail, problems })
  }
  const overlap = findOverlap(parsed, planned)
  if (overlap !== null) return err({ code: 'CLAIMS_CONFLICT', detail: overlap })
  const composed = fold(parsed, sortEntries(planned), format)
  if (!composed.ok || options.judge === undefined) return composed
  const judged = checkSchema(composed, format, options.judge)
  return judged.ok ? composed : judged
}

/** B1. */
function planEntry(
  parsed: ParsedText,
  entry: BatchEntry,
  format: Format,
  { artifact, sha256, ...list }: ComposeOptions,
): PlannedEntry | BatchProblem {
  const { key, deltas, order, reads } = entry
  const stale = checkReads(parsed, reads ?? [], { type: format.type, sha256 })
  if (stale !== null) return { ...stale, key }
  const plan = planDeltas(parsed, deltas, format, list)
  if (!plan.ok) return { ...plan.error, key }
  const claimant = { key, artifact, sha256, ...(order === undefined ? {} : { order }) }
  return { entry, plan: plan.value, claims: claimPlan(plan.value, format, claimant) }
}

/** B2. */
function fold(parsed: ParsedText, planned: readonly PlannedEntry[], format: Format): ComposeResult {
  const history = new TextHistory(parsed.text)
  const entries: ComposedEntry[] = []
  let now = parsed
  for (const [index, one] of planned.entries()) {
    const { key } = one.entry
    const rebased = planOnto(parsed, now, history, one, format)
    if (!rebased.ok) return err({ ...rebased.error, key })
    if (!history.apply(String(index), rebased.value.splices))
      return err({ code: 'CLAIMS_CONFLICT', detail: `\`${key}\` does not fit the others`, key })
    entries.push({ ...rebased.value, key, claims: one.claims })
    now = rebased.value.after
  }
  const splices = history.listSplices()
  const plan = { splices, after: now, inverse: invertSplices(parsed.text, splices), entries }
  const dangling = findDangling(parsed, plan, format)
  if (dangling !== null) return err(dangling)
  const surplus = findOtherTile(parsed, splices, now)?.detail ?? findSurplus(parsed, planned, now)
  if (surplus !== null) return err({ code: 'CLAIMS_CONFLICT', detail: surplus })
  const misread = findMisread(planned, history, now, format)
  return misread === null ? ok(plan) : err({ code: 'CLAIMS_CONFLICT', detail: misread })
}

/** B5. Those that follow one another may have counted on each other's names. */
function findMisread(
  planned: readonly PlannedEntry[],
  history: TextHistory,
  now: ParsedText,
  { names }: Format,
): string | null {
  if (names === undefined || planned.length < 2) return null
  const writers = planned.map((one, index) => readEntryWriter(one, String(index), history, now))
  const areApart = planned.every(({ entry }) => entry.order === undefined)
  return findOtherMeaning(now, writers, names, { areApart })
}
