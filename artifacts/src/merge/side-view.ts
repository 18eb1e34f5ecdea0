/** A container of each side as a sequence of units that can be compared. */
import type { SymbolNode } from '../tree/symbol-node.ts'
import { cutUnits, type Holder, readCore, type Unit } from './holder.ts'
import { matchMembers } from './match-members.ts'
import type { SideName } from './merge.ts'
import type { Holders } from './merge-context.ts'

/** Members of a side by what they are: `=3` is the fourth of the base, `+3` is the side's own, `&3` is one that both add. */
export type SideView = {
  readonly units: readonly Unit[]
  readonly ids: readonly string[]
  readonly keys: readonly string[]
}

export type SideViews = Readonly<Record<SideName, SideView>>

/** Lines between members begin with a blank. */
export function isMemberKey(key: string): boolean {
  return !key.startsWith(' ')
}

export function viewSides(holders: Holders): SideViews | null {
  const { base, ours, theirs } = holders
  const baseIds = base.members.map((_, i) => `=${i}`)
  const [ourIds, theirIds] = [identify(base, ours, 'o'), identify(base, theirs, 't')]
  shareAdded(ours, ourIds, theirs, theirIds)
  const views = {
    base: viewSide(base, baseIds),
    ours: viewSide(ours, ourIds),
    theirs: viewSide(theirs, theirIds),
  }
  return views.base === null || views.ours === null || views.theirs === null
    ? null
    : { base: views.base, ours: views.ours, theirs: views.theirs }
}

function viewSide(holder: Holder, ids: readonly string[]): SideView | null {
  const units = cutUnits(holder)
  if (units === null) return null
  const { text } = holder.parsed
  const keys = units.map((unit) =>
    unit.kind === 'member'
      ? (ids[unit.index] ?? '')
      : ` ${text.slice(unit.span.start, unit.span.end)}`,
  )
  return { units, ids, keys }
}

function identify(base: Holder, side: Holder, sign: string): string[] {
  const ids = side.members.map((_, j) => `+${sign}${j}`)
  for (const [i, j] of matchMembers(base, side)) ids[j] = `=${i}`
  return ids
}

/** What both add alike is one thing; and so are two imports of one module. */
function shareAdded(ours: Holder, ourIds: string[], theirs: Holder, theirIds: string[]): void {
  for (const [i, one] of ours.members.entries()) {
    if (!ourIds[i]?.startsWith('+')) continue
    const j = theirs.members.findIndex(
      (other, at) => theirIds[at]?.startsWith('+') && isSameAddition(ours, one, theirs, other),
    )
    if (j < 0) continue
    ourIds[i] = `&${i}:${j}`
    theirIds[j] = `&${i}:${j}`
  }
}

function isSameAddition(ours: Holder, one: SymbolNode, theirs: Holder, other: SymbolNode): boolean {
  if (one.kind !== other.kind) return false
  if (one.kind === 'import' && one.name === other.name && one.order === 'free') return true
  return readCore(ours, one).trim() === readCore(theirs, other).trim()
}
