/** What became of edits, counted. What was not done is counted by its reason. */
import { EDIT_OPS, type EditOp } from './edit.ts'

export type OpFigures = {
  tried: number
  applied: number
  /** Edits that touched lines they had no business with, and how many lines. */
  other_lines: number
  lines: number
  /** By reason. */
  readonly not_applied: Record<string, number>
}

export type EditFigures = {
  /** In which at least one edit applied, and in which at least one touched another line. */
  files: number
  files_with_other_lines: number
  readonly by_op: Readonly<Record<EditOp, OpFigures>>
  /** The first places at which another line was touched. */
  readonly first: string[]
}

const FIRST = 10
const REASON_LENGTH = 60

export function createEditFigures(): EditFigures {
  const create = (): OpFigures => ({
    ...{ tried: 0, applied: 0, other_lines: 0, lines: 0 },
    not_applied: {},
  })
  const by_op = Object.fromEntries(EDIT_OPS.map((op) => [op, create()]))
  return {
    files: 0,
    files_with_other_lines: 0,
    by_op: by_op as Record<EditOp, OpFigures>,
    first: [],
  }
}

/** What one edit of a file came to: the lines it touched, or why it was not done. */
export type EditOutcome = { readonly op: EditOp; readonly place: string } & (
  | { readonly other: number }
  | { readonly reason: string }
)

export function countFile(figures: EditFigures, outcomes: readonly EditOutcome[]): void {
  let [applied, touched] = [false, false]
  for (const outcome of outcomes) {
    const counts = figures.by_op[outcome.op]
    counts.tried += 1
    if ('reason' in outcome) {
      countReason(counts.not_applied, outcome.reason)
      continue
    }
    applied = true
    counts.applied += 1
    if (outcome.other === 0) continue
    touched = true
    counts.other_lines += 1
    counts.lines += outcome.other
    recordFirst(figures.first, `${outcome.op} ${outcome.place}: ${outcome.other}`)
  }
  if (applied) figures.files += 1
  if (touched) figures.files_with_other_lines += 1
}

export function countReason(counts: Record<string, number>, reason: string): void {
  const short = reason.split('\n', 1)[0]?.slice(0, REASON_LENGTH) ?? reason
  counts[short] = (counts[short] ?? 0) + 1
}

export function recordFirst(list: string[], place: string): void {
  if (list.length < FIRST) list.push(place)
}

export type EditTotals = {
  readonly tried: number
  readonly applied: number
  readonly other_lines: number
  readonly lines: number
}

export function addUp({ by_op }: EditFigures): EditTotals {
  const add = (of: (counts: OpFigures) => number): number =>
    EDIT_OPS.reduce((sum, op) => sum + of(by_op[op]), 0)
  return {
    tried: add(({ tried }) => tried),
    applied: add(({ applied }) => applied),
    other_lines: add(({ other_lines }) => other_lines),
    lines: add(({ lines }) => lines),
  }
}
