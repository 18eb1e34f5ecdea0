/** Steps that follow one another, as one change; and the steps between two texts of which nobody recorded any. */
import { compareSequences } from '../merge/compare-sequences.ts'
import type { EventStep } from '../store/artifact-event.ts'
import { findDifference } from '../store/plan-undo.ts'
import { TextHistory } from '../text/history.ts'
import { applySplices, invertSplices, type Splice } from '../text/splice.ts'

export type JoinedSteps = {
  readonly text: string
  /** Of the first text. */
  readonly splices: readonly Splice[]
}

/** Null: they do not fit the text. */
export function joinSteps(text: string, steps: readonly EventStep[]): JoinedSteps | null {
  const history = new TextHistory(text)
  for (const [index, { splices }] of steps.entries())
    if (!history.apply(String(index), splices)) return null
  return { text: history.getText(), splices: history.listSplices() }
}

export function createStep(before: string, splices: readonly Splice[]): EventStep {
  return { splices, inverse: invertSplices(before, splices) }
}

/** By lines; where those have too little in common, from the first difference to the last. */
export function listTextSplices(before: string, after: string): readonly Splice[] {
  const [one, other] = [splitLines(before), splitLines(after)]
  const hunks = compareSequences(one, other)
  const [starts, places] = [listStarts(one), listStarts(other)]
  const splices = (hunks ?? []).map(({ start, end, from, to }) => ({
    start: starts[start] ?? before.length,
    end: starts[end] ?? before.length,
    text: after.slice(places[from] ?? after.length, places[to] ?? after.length),
  }))
  if (applySplices(before, splices) === after) return splices
  const whole = findDifference(before, after)
  return whole === null ? [] : [whole]
}

export function splitLines(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/u)
}

function listStarts(lines: readonly string[]): readonly number[] {
  const starts: number[] = []
  let at = 0
  for (const line of lines) {
    starts.push(at)
    at += line.length
  }
  return starts
}
