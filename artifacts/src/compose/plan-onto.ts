/**
 * Puts an entry that was planned on the base onto the text that the entries before it left.
 *
 * Where none of them touched the places of it, its splices are moved. Where one did (two put members at one place, two take out
 * neighbours), it is planned anew: what stands between members depends on who stands there.
 */
import { err, ok } from 'rubicon-kernel'
import { type Anchor, type Delta, ROOT } from '../delta/delta.ts'
import type { DeltaProblem, Plan, PlanResult } from '../delta/plan.ts'
import { planStep } from '../delta/plan-delta.ts'
import type { Format } from '../formats/format.ts'
import { TextHistory } from '../text/history.ts'
import { applySplices, invertSplices, type Splice } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { chooseAnchor } from './choose-anchor.ts'
import type { PlannedEntry } from './planned-entry.ts'
import { type Translation, translatePath } from './translate-path.ts'

export function planOnto(
  base: ParsedText,
  now: ParsedText,
  others: TextHistory,
  planned: PlannedEntry,
  format: Format,
): PlanResult {
  const done = others.listSplices()
  const moved = moveSplices(planned.plan.splices, done)
  if (moved === null) return planAnew(base, now, others, planned, format)
  const text = applySplices(now.text, moved)
  const after = text === null ? null : format.parse(text)
  if (after?.ok !== true)
    return err({ code: 'CLAIMS_CONFLICT', detail: 'with the others it cannot be read' })
  return ok({ splices: moved, after: after.value, inverse: invertSplices(now.text, moved) })
}

/** Null: one of them touches one of those that are done. */
function moveSplices(
  splices: readonly Splice[],
  done: readonly Splice[],
): readonly Splice[] | null {
  const moved: Splice[] = []
  for (const { start, end, text } of splices) {
    let shift = 0
    for (const other of done) {
      if (start <= other.end && other.start <= end) return null
      if (other.end < start) shift += other.text.length - (other.end - other.start)
    }
    moved.push({ start: start + shift, end: end + shift, text })
  }
  return moved
}

/** Step by step, each on what the one before it left; as one change. */
function planAnew(
  base: ParsedText,
  now: ParsedText,
  others: TextHistory,
  { plan }: PlannedEntry,
  format: Format,
): PlanResult {
  // What the author saw, and what there is: both of the base.
  const seen = new TextHistory(base.text)
  const there = others.createCopy()
  const own = new TextHistory(now.text)
  let current = now
  for (const [index, { delta, before, splices }] of plan.steps.entries()) {
    const translation = {
      base,
      before,
      seen: seen.listSplices(),
      there: there.listSplices(),
      current,
    }
    const translated = translateDelta(delta, translation, there)
    if (translated === null) return err(describeLost(delta))
    const step = planStep(current, translated, format)
    if (!step.ok) return err(toConflict(step.error))
    const id = `${OWN}${index}`
    const isFit =
      seen.apply(id, splices) &&
      there.apply(id, step.value.splices) &&
      own.apply(id, step.value.splices)
    if (!isFit) return err(describeLost(delta))
    current = step.value.after
  }
  const splices = own.listSplices()
  const composed: Plan = { splices, after: current, inverse: invertSplices(now.text, splices) }
  return ok(composed)
}

/** Changes of this entry, among those of others that are named by numbers. */
const OWN = 'own '

function translateDelta(delta: Delta, translation: Translation, there: TextHistory): Delta | null {
  if (delta.op === 'addImport' || delta.op === 'putBinary') return delta
  const target = delta.target === ROOT ? ROOT : translatePath(delta.target, translation)
  if (target === null) return null
  const findAnchorIn = (container: string, at: Anchor | undefined): Anchor | null =>
    chooseAnchor(container, at, translation, (place) => {
      const putter = there.findPutter(place)
      return putter !== null && !putter.startsWith(OWN)
    })
  if (delta.op === 'addMember' || delta.op === 'addSection') {
    const at = findAnchorIn(delta.target, delta.at)
    return at === null ? null : { ...delta, target, at }
  }
  if (delta.op === 'move') {
    const to = delta.to === ROOT ? ROOT : translatePath(delta.to, translation)
    const at = findAnchorIn(delta.to, delta.at)
    return to === null || at === null ? null : { ...delta, target, to, at }
  }
  return { ...delta, target }
}

function describeLost(delta: Delta): DeltaProblem {
  const target = 'target' in delta ? delta.target : ROOT
  return {
    code: 'CLAIMS_CONFLICT',
    detail: `\`${target}\` cannot be found among what the others did`,
  }
}

function toConflict(problem: DeltaProblem): DeltaProblem {
  return { ...problem, code: 'CLAIMS_CONFLICT', detail: `${problem.code}: ${problem.detail}` }
}
