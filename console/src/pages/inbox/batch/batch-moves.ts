/**
 * Facts that moved since a list of requests was shown. What the list says that its own approvals would make of a
 * fact is no surprise; anything else is, and the request is not decided until somebody has looked again.
 */
import type { EscalationBrief, PreviewRow } from 'rubicon-agents/client'
import { compareDecimal, type Decimal, toDecimal } from 'rubicon-kernel'
import { type FactMove, findMovedFacts } from '../moved-facts.ts'

/** What approvals before it have made, by their previews; the last of them says what is now. */
export function findSurprises(
  seen: EscalationBrief,
  latest: EscalationBrief,
  made: readonly PreviewRow[],
): readonly FactMove[] | null {
  const moves = findMovedFacts(seen, latest)
  if (moves === null) return null
  const worlds = new Set(
    latest.facts.filter(({ layer }) => layer === 'world').map(({ name }) => name),
  )
  const surprises = moves.filter((move) => !worlds.has(move.name) || !isMadeHere(move, made))
  // That something has moved, and nobody can say what, is a surprise too.
  return surprises.length === 0 && moves.length > 0 ? null : surprises
}

function isMadeHere({ name, from, to }: FactMove, made: readonly PreviewRow[]): boolean {
  const [before, after] = [toFields(from), toFields(to)]
  if (after === null) return false
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after)])
  const changed = [...names].filter((field) => !isSameValue(before?.[field], after[field]))
  return changed.every((field) => {
    const last = made.findLast(
      (row) => row.field === field && (name === row.subject || name.endsWith(`/${row.subject}`)),
    )
    return last !== undefined && isSameValue(last.after, after[field])
  })
}

/** Null: it has no fields. */
function toFields(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null
}

/** A figure is the same however it is written. */
function isSameValue(a: unknown, b: unknown): boolean {
  const [left, right] = [parseFigure(a), parseFigure(b)]
  if (left !== undefined && right !== undefined) return compareDecimal(left, right) === 0
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}

function parseFigure(value: unknown): Decimal | undefined {
  return typeof value === 'string' || typeof value === 'number' ? toDecimal(value) : undefined
}
