/**
 * What became of a text, as edits to its symbols that can be done one without the other. All of them together give the second text, byte
 * by byte.
 */
import { isInside, type Span, sliceSpan } from '../text/span.ts'
import { type Splice, sortSplices } from '../text/splice.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { compareSequences } from './compare-sequences.ts'
import { cutUnits, findSeparator, type Holder, readCore, toHolder, type Unit } from './holder.ts'
import { matchMembers } from './match-members.ts'

/** Splices of the first text that go together. */
export type SymbolEdit = { readonly path: string; readonly splices: readonly Splice[] }

/** Null: the texts have too little in common. */
export function listEdits(base: Holder, target: Holder): readonly SymbolEdit[] | null {
  const around = [
    replace(
      base,
      target,
      { start: 0, end: base.container.inside.start },
      {
        start: 0,
        end: target.container.inside.start,
      },
    ),
    replace(
      base,
      target,
      { start: base.container.inside.end, end: base.parsed.text.length },
      {
        start: target.container.inside.end,
        end: target.parsed.text.length,
      },
    ),
  ].flatMap((splices) => (splices.length === 0 ? [] : [{ path: '', splices }]))
  const within = listMemberEdits(base, target)
  return within === null ? null : [...around, ...within]
}

function listMemberEdits(base: Holder, target: Holder): readonly SymbolEdit[] | null {
  const match = matchMembers(base, target)
  const [ones, others] = [cutUnits(base), cutUnits(target)]
  if (ones === null || others === null) return null
  const ids = new Map([...match].map(([i, j]) => [j, i]))
  const hunks = compareSequences(
    ones.map((unit) => toKey(base, unit, (i) => `=${i}`)),
    others.map((unit) => toKey(target, unit, (j) => (ids.has(j) ? `=${ids.get(j)}` : `+${j}`))),
    (key) => !key.startsWith(' '),
  )
  if (hunks === null) return null
  const moved = new MovedGroups()
  const edits: SymbolEdit[] = []
  const separators: Splice[] = []
  for (const [i, j] of match) {
    const [before, after] = [base.members[i], target.members[j]]
    if (before === undefined || after === undefined) continue
    const within = listWithin(base, before, target, after, separators)
    if (within === null) return null
    edits.push(...within)
  }
  for (const { start, end, from, to } of hunks) {
    const span = toSpan(base, ones, start, end)
    const text = sliceSpan(target.parsed.text, toSpan(target, others, from, to))
    const known = [
      ...ones.slice(start, end).map((unit) => (unit.kind === 'member' ? unit.index : -1)),
      ...others
        .slice(from, to)
        .map((unit) => (unit.kind === 'member' ? (ids.get(unit.index) ?? -1) : -1)),
    ].filter((index) => index >= 0 && match.has(index))
    moved.add({ ...span, text }, known)
  }
  // A list that grows or shrinks changes the separators of others.
  const groups = moved.list()
  const joined = separators.length === 0 ? groups : [[...separators, ...groups.flat()]]
  for (const splices of joined)
    if (splices.length > 0) edits.push({ path: base.path, splices: sortSplices(splices) })
  return edits
}

function toKey({ parsed }: Holder, unit: Unit, toId: (index: number) => string): string {
  return unit.kind === 'member' ? toId(unit.index) : ` ${sliceSpan(parsed.text, unit.span)}`
}

function toSpan(holder: Holder, units: readonly Unit[], start: number, end: number): Span {
  const place = (at: number): number => {
    const unit = units[at]
    if (unit === undefined) return holder.container.inside.end
    if (unit.kind === 'gap') return unit.span.start
    return holder.members[unit.index]?.whole.start ?? 0
  }
  return { start: place(start), end: place(end) }
}

/** What is taken out at one place and put in at another is one edit. */
class MovedGroups {
  readonly #groups: { readonly splices: Splice[]; readonly ids: Set<number> }[] = []

  add(splice: Splice, ids: readonly number[]): void {
    const group = this.#groups.find((one) => ids.some((id) => one.ids.has(id)))
    if (group === undefined) this.#groups.push({ splices: [splice], ids: new Set(ids) })
    else {
      group.splices.push(splice)
      for (const id of ids) group.ids.add(id)
    }
  }

  list(): readonly (readonly Splice[])[] {
    return this.#groups.map(({ splices }) => splices)
  }
}

function listWithin(
  base: Holder,
  before: SymbolNode,
  target: Holder,
  after: SymbolNode,
  separators: Splice[],
): readonly SymbolEdit[] | null {
  if (sliceSpan(base.parsed.text, before.whole) === sliceSpan(target.parsed.text, after.whole))
    return []
  const [old, now] = [toHolder(base, before), toHolder(target, after)]
  const [one, other] = [findSeparator(base, before), findSeparator(target, after)]
  if ((one === null) !== (other === null) && readCore(base, before) === readCore(target, after)) {
    separators.push(...replace(base, target, before.whole, after.whole))
    return []
  }
  const isWithin =
    old !== null &&
    now !== null &&
    old.container.separator === now.container.separator &&
    (one === null) === (other === null) &&
    isInside(old.container.inside, before.whole) &&
    isInside(now.container.inside, after.whole)
  if (!isWithin)
    return [{ path: before.path, splices: replace(base, target, before.whole, after.whole) }]
  const [a, b] = [old.container.inside, now.container.inside]
  const edits = listMemberEdits(old, now)
  if (edits === null) return null
  const shell = [
    ...replace(
      base,
      target,
      { start: before.whole.start, end: a.start },
      { start: after.whole.start, end: b.start },
    ),
    ...replace(
      base,
      target,
      { start: a.end, end: before.whole.end },
      { start: b.end, end: after.whole.end },
    ),
  ]
  return shell.length === 0 ? edits : [{ path: before.path, splices: shell }, ...edits]
}

function replace(base: Holder, target: Holder, one: Span, other: Span): readonly Splice[] {
  const text = sliceSpan(target.parsed.text, other)
  return sliceSpan(base.parsed.text, one) === text ? [] : [{ start: one.start, end: one.end, text }]
}
