/**
 * Which member of a side is which of the base. By kind and name where that names one; then by what they are; then by where they are. When
 * unsure it is no match: a member that is taken out and another that is put in.
 */
import { sliceSpan } from '../text/span.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { matchSequences } from './compare-sequences.ts'
import { type Holder, readCore } from './holder.ts'

/** Index in the side by index in the base. */
export type MemberMatch = ReadonlyMap<number, number>

/** Less than this says too little to tell what was renamed. */
const LEAST_RENAMED = 24

export function matchMembers(base: Holder, side: Holder): MemberMatch {
  const match = new Map<number, number>()
  const [ones, others] = [base.members.map(toLabel), side.members.map(toLabel)]
  matchUnique(ones, others, match)
  matchAlike(base, side, match)
  matchBetween(ones, others, match)
  matchRenamed(base, side, match)
  return match
}

/** An item is named by its place, which an insertion before it changes. */
function toLabel({ kind, name }: SymbolNode): string {
  return kind === 'item' ? kind : `${kind}:${name}`
}

function matchUnique(
  ones: readonly string[],
  others: readonly string[],
  match: Map<number, number>,
): void {
  const places = listUnique(others)
  for (const [label, i] of listUnique(ones)) {
    const j = places.get(label)
    if (i !== null && j !== undefined && j !== null && label !== 'item') match.set(i, j)
  }
}

/** Null: there are several. */
function listUnique(labels: readonly string[]): ReadonlyMap<string, number | null> {
  const found = new Map<string, number | null>()
  for (const [at, label] of labels.entries()) found.set(label, found.has(label) ? null : at)
  return found
}

/** Those that are the same, text by text, in the order of both. */
function matchAlike(base: Holder, side: Holder, match: Map<number, number>): void {
  const taken = new Set(match.values())
  const ones = base.members.flatMap((_, i) => (match.has(i) ? [] : [i]))
  const others = side.members.flatMap((_, j) => (taken.has(j) ? [] : [j]))
  const read = (holder: Holder, at: number): string => {
    const member = holder.members[at]
    return member === undefined ? '' : `${member.kind} ${readCore(holder, member).trim()}`
  }
  const pairs = matchSequences(
    ones.map((i) => read(base, i)),
    others.map((j) => read(side, j)),
  )
  for (const [a, b] of pairs ?? []) {
    const [i, j] = [ones[a], others[b]]
    if (i !== undefined && j !== undefined) match.set(i, j)
  }
}

/** The only one of its label on both sides between two neighbours that are known: it was changed. */
function matchBetween(
  ones: readonly string[],
  others: readonly string[],
  match: Map<number, number>,
): void {
  const taken = new Set(match.values())
  const known = [...match].sort(([a], [b]) => a - b)
  let [i, j] = [-1, -1]
  for (const [nextI, nextJ] of [...known, [ones.length, others.length] as const]) {
    if (nextJ > j) {
      const left = listUnique(
        ones.slice(i + 1, nextI).map((l, at) => (match.has(i + 1 + at) ? '' : l)),
      )
      const right = listUnique(
        others.slice(j + 1, nextJ).map((l, at) => (taken.has(j + 1 + at) ? '' : l)),
      )
      for (const [label, a] of left) {
        const b = right.get(label)
        if (label !== '' && a !== null && b !== undefined && b !== null)
          match.set(i + 1 + a, j + 1 + b)
      }
    }
    i = nextI
    j = nextJ
  }
}

/** The same in all but its name, and nothing else like it. */
function matchRenamed(base: Holder, side: Holder, match: Map<number, number>): void {
  const taken = new Set(match.values())
  const read = (holder: Holder, isTaken: (at: number) => boolean): readonly string[] =>
    holder.members.map((member, at) => (isTaken(at) ? '' : readNameless(holder, member)))
  const others = listUnique(read(side, (j) => taken.has(j)))
  for (const [text, i] of listUnique(read(base, (i) => match.has(i)))) {
    const j = others.get(text)
    if (text !== '' && i !== null && j !== undefined && j !== null) match.set(i, j)
  }
}

/** Empty: it has no name, or is too short to be told from others. */
function readNameless({ parsed }: Holder, { kind, nameSpan, own }: SymbolNode): string {
  if (nameSpan === null) return ''
  const { text } = parsed
  const rest = `${text.slice(own.start, nameSpan.start)}\0${text.slice(nameSpan.end, own.end)}`
  return rest.length < LEAST_RENAMED ? '' : `${kind} ${rest}`
}

/** Whether two members of different texts are the same, text by text. */
export function isSameMember(
  one: Holder,
  member: SymbolNode,
  other: Holder,
  second: SymbolNode,
): boolean {
  return (
    member.kind === second.kind &&
    member.name === second.name &&
    sliceSpan(one.parsed.text, member.own) === sliceSpan(other.parsed.text, second.own)
  )
}
