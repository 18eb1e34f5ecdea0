/**
 * Deltas that were applied one after the other, of which any can be undone as long as no other stands on it.
 *
 * U1 whatever was undone, those that are left can be undone from the last to the first; with all of them undone, the text is the first
 *    one, unit by unit.
 * U2 a later one stands on a delta if it took out what that put in, if it refers to what would be gone, or if it has taken the name that would
 *    come back. Then the delta is not undone, and it is said which others have to be undone before.
 * U3 what is undone touches no token of what stays.
 */
import { assert, err, ok } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { TextHistory } from '../text/history.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { isInside, type Span } from '../text/span.ts'
import { applySplices, invertSplices, type Splice } from '../text/splice.ts'
import { listNamesakes } from '../tree/list-lineage.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { findOtherTile } from './find-collateral.ts'
import { findDangling } from './find-dangling.ts'
import type { DeltaProblem, Plan, PlanResult } from './plan.ts'
import type { ListPlan } from './plan-deltas.ts'

export class DeltaHistory {
  readonly #format: Format
  #text: TextHistory
  /** Those that are not undone, in their order. */
  #live: readonly string[] = []
  #parsed: ParsedText

  constructor(first: ParsedText, format: Format) {
    this.#format = format
    this.#text = new TextHistory(first.text)
    this.#parsed = first
  }

  /** Another one that goes on from here by itself. */
  createCopy(): DeltaHistory {
    const copy = new DeltaHistory(this.#parsed, this.#format)
    copy.#text = this.#text.createCopy()
    copy.#live = this.#live
    return copy
  }

  getParsed(): ParsedText {
    return this.#parsed
  }

  listLive(): readonly string[] {
    return this.#live
  }

  /** A plan that was made for the text as it is now. */
  record(id: string, { splices, after }: Pick<Plan, 'splices' | 'after'>): void {
    assert(this.#text.apply(id, splices), 'a plan fits the text that it was made for')
    this.#live = [...this.#live, id]
    this.#parsed = after
  }

  undo(id: string): PlanResult {
    const planned = this.#planUndo(id)
    if (!planned.ok) return planned
    this.#text.undo(id)
    this.#live = this.#live.filter((one) => one !== id)
    this.#parsed = planned.value.after
    return planned
  }

  #planUndo(id: string): PlanResult {
    if (!this.#live.includes(id))
      return err({ code: 'TARGET_MISSING', detail: `\`${id}\` is not there, or is undone` })
    const splices = this.#text.planUndo(id)
    if (splices === null) return err(describeStanding(id, this.#text.listStandingOn(id)))
    const text = applySplices(this.#parsed.text, splices)
    const after = text === null ? null : this.#format.parse(text)
    const later = this.#live.slice(this.#live.indexOf(id) + 1)
    if (after?.ok !== true) return err(describeStanding(id, later))
    const inverse = invertSplices(this.#parsed.text, splices)
    const plan: Plan = { splices, after: after.value, inverse }
    if (later.length === 0) return ok(plan)
    if (findOtherTile(this.#parsed, splices, after.value) !== null)
      return err(describeStanding(id, later))
    const stuck = this.#text.isApart(id) ? null : this.#findStuck(id)
    if (stuck !== null) return err(describeStanding(id, [stuck]))
    const others = [...this.#listReferring(plan), ...this.#listNamesakes(splices, after.value)]
    // What came before it did without it.
    const standing = later.filter((one) => others.includes(one))
    return standing.length === 0 ? ok(plan) : err(describeStanding(id, standing))
  }

  /** The one that could not be undone any more, from the last to the first, if this one were undone (U1). */
  #findStuck(id: string): string | null {
    const text = this.#text.createCopy()
    text.undo(id)
    const left = this.#live.filter((one) => one !== id)
    const isStuck = (one: string): boolean =>
      text.undo(one) === null || !this.#format.parse(text.getText()).ok
    return left.findLast(isStuck) ?? null
  }

  /** Who put in the names that would refer to nothing. */
  #listReferring(plan: Plan): readonly string[] {
    const dangling = findDangling(this.#parsed, plan, this.#format)
    if (dangling === null) return []
    return (dangling.places ?? []).flatMap(({ start }) => this.#text.findPutter(start) ?? [])
  }

  /** Who put in symbols that have the names of those that would come back. */
  #listNamesakes(splices: readonly Splice[], after: ParsedText): readonly string[] {
    const put = listPutSpans(splices)
    return listSymbolsIn(after.symbols, put).flatMap((symbol) =>
      listNamesakes(after, symbol)
        .filter(({ kind, own }) => kind === symbol.kind && !isWithin(own, put))
        .flatMap(({ own }) => this.#text.findPutter(toPlaceBefore(own.start, splices)) ?? []),
    )
  }
}

/** One change a delta of the list, named by its place in it. */
export function recordList(first: ParsedText, { steps }: ListPlan, format: Format): DeltaHistory {
  const history = new DeltaHistory(first, format)
  for (const [index, step] of steps.entries()) history.record(String(index), step)
  return history
}

function describeStanding(id: string, others: readonly string[]): DeltaProblem {
  const candidates = [...new Set(others)]
  const names = candidates.map((one) => `\`${one}\``).join(', ')
  return {
    code: 'UNDO_BLOCKED',
    detail: `${names} would have to be undone before \`${id}\``,
    candidates,
  }
}

function toPlaceBefore(place: number, splices: readonly Splice[]): number {
  let shift = 0
  for (const { start, end, text } of splices) {
    if (start + shift >= place) break
    shift += text.length - (end - start)
  }
  return place - shift
}

function listSymbolsIn(
  symbols: readonly SymbolNode[],
  spans: readonly Span[],
): readonly SymbolNode[] {
  return symbols.flatMap((symbol) =>
    isWithin(symbol.own, spans) ? [symbol] : listSymbolsIn(symbol.children, spans),
  )
}

function isWithin(span: Span, spans: readonly Span[]): boolean {
  return spans.some((one) => isInside(span, one))
}
