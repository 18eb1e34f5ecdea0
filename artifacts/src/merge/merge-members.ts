/**
 * Merges the members of one container, and what is in them.
 *
 * M1 every member that both sides kept is in the result once; what one side took out is not, and the other must not have changed it;
 *    what a side added is in it once.
 * M2 null: this container cannot be merged by its members. Whoever holds it merges its lines, or shows a conflict.
 */

import { detectLineBreak } from '../text/lines.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { compareSequences } from './compare-sequences.ts'
import { composeHunks, type Run, type RunReader } from './compose-hunks.ts'
import { findSeparator, type Holder, readCore } from './holder.ts'
import type { ChangingSide, Segment, SideName } from './merge.ts'
import type { Holders, MergeContext, Versions } from './merge-context.ts'
import { isMissed, mergeAdded } from './merge-imports.ts'
import { joinItems, type OutItem, type Piece, toConflictPiece, toPiece } from './piece.ts'
import { listImportLocals } from './read-import.ts'
import { isMemberKey, type SideViews, viewSides } from './side-view.ts'

/** Merges a symbol that all three have. */
export type MergeMember = (
  context: MergeContext,
  holders: Holders,
  versions: Versions,
) => Piece | null

export function mergeMembers(
  context: MergeContext,
  holders: Holders,
  mergeMember: MergeMember,
): readonly Segment[] | null {
  const views = viewSides(holders)
  if (views === null) return null
  const { base, ours, theirs } = views
  const [mine, yours] = [
    compareSequences(base.keys, ours.keys, isMemberKey),
    compareSequences(base.keys, theirs.keys, isMemberKey),
  ]
  if (mine === null || yours === null) return null
  const reader = new UnitReader(holders, views)
  const sequences = { base: base.keys, ours: ours.keys, theirs: theirs.keys }
  const composition = composeHunks(sequences, mine, yours, reader)
  if (composition === null) return null
  const output = new MemberOutput(context, holders, views, mergeMember)
  for (let at = 0; at <= base.units.length; at += 1) {
    for (const { side, units } of composition.runs.get(at) ?? [])
      for (const unit of units) output.put(side, unit)
    if (at < base.units.length && !(composition.isTakenOut[at] && !output.isKeptImport(at)))
      output.put('base', at)
  }
  return output.finish()
}

/** The blanks behind a comma come and go with what follows. */
function isSameCore(one: Holder, node: SymbolNode, other: Holder, second: SymbolNode): boolean {
  return readCore(one, node).trimEnd() === readCore(other, second).trimEnd()
}

/** What is put in, as the composition has to know it. */
class UnitReader implements RunReader {
  readonly #holders: Holders
  readonly #views: SideViews

  constructor(holders: Holders, views: SideViews) {
    this.#holders = holders
    this.#views = views
  }

  readKey({ side, units }: Run): string {
    return units.map((unit) => this.#views[side].keys[unit] ?? '').join('\0')
  }

  readName(run: Run): string | null {
    const [first] = this.#listMembers(run)
    return first === undefined ? null : `${first.name}\0${first.kind}`
  }

  isFixed(run: Run): boolean {
    return this.#listMembers(run).some(({ order }) => order === 'fixed')
  }

  isLoose(run: Run): boolean {
    const hasText = run.units.some((unit) => this.#views[run.side].keys[unit]?.trim() !== '')
    return hasText && this.#listMembers(run).length === 0
  }

  split(run: Run): readonly Run[] | null {
    if (this.#listMembers(run).length < run.units.length || this.isFixed(run)) return null
    return run.units.map((unit) => ({ side: run.side, units: [unit] }))
  }

  #listMembers({ side, units }: Run): readonly SymbolNode[] {
    return units.flatMap((at) => {
      const unit = this.#views[side].units[at]
      const member = unit?.kind === 'member' ? this.#holders[side].members[unit.index] : undefined
      return member === undefined ? [] : [member]
    })
  }
}

/** The result as it is put together. */
class MemberOutput {
  readonly #context: MergeContext
  readonly #holders: Holders
  readonly #views: SideViews
  readonly #items: OutItem[] = []
  readonly #done = new Map<string, number>()
  readonly #mergeMember: MergeMember
  #hasFailed = false

  constructor(context: MergeContext, holders: Holders, views: SideViews, mergeMember: MergeMember) {
    this.#mergeMember = mergeMember
    this.#context = context
    this.#holders = holders
    this.#views = views
  }

  put(side: SideName, at: number): void {
    const unit = this.#views[side].units[at]
    if (unit === undefined) return
    if (unit.kind === 'gap') {
      this.#items.push({ kind: 'gap', segment: { from: side, ...unit.span } })
      return
    }
    const id = this.#views[side].ids[unit.index] ?? ''
    this.#done.set(id, (this.#done.get(id) ?? 0) + 1)
    const piece = this.#merge(id, side, unit.index)
    if (piece === null) this.#hasFailed = true
    else this.#items.push({ kind: 'member', piece })
  }

  /** An import that one side took out and whose names the other begins to use stays. */
  isKeptImport(at: number): boolean {
    const unit = this.#views.base.units[at]
    if (unit?.kind !== 'member') return false
    const node = this.#holders.base.members[unit.index]
    if (node?.kind !== 'import') return false
    const removers = this.#listRemovers(`=${unit.index}`)
    const [remover] = removers
    if (removers.length !== 1 || remover === undefined) return false
    const other = remover === 'ours' ? 'theirs' : 'ours'
    const locals = listImportLocals({ holder: this.#holders.base, node })
    const { changes } = this.#context
    return isMissed(changes[remover], changes[other], locals)
  }

  finish(): readonly Segment[] | null {
    if (this.#hasFailed || !this.#isComplete()) return null
    const { separator } = this.#holders.base.container
    return joinItems(this.#items, separator, {
      hasTrailing: this.#hasTrailing(),
      blanks: this.#readBlanks(),
    })
  }

  #merge(id: string, side: SideName, index: number): Piece | null {
    const { base, ours, theirs } = this.#holders
    if (id.startsWith('=')) {
      const node = base.members[Number(id.slice(1))]
      const [mine, yours] = [this.#find('ours', id), this.#find('theirs', id)]
      if (node === undefined) return null
      if (mine === undefined || yours === undefined) return toPiece(base, node)
      return this.#mergeMember(this.#context, this.#holders, {
        base: node,
        ours: mine,
        theirs: yours,
      })
    }
    const node = this.#holders[side].members[index]
    if (node === undefined || side === 'base') return null
    if (id.startsWith('&')) {
      const [mine, yours] = [this.#find('ours', id), this.#find('theirs', id)]
      if (mine === undefined || yours === undefined) return null
      return mergeAdded(
        this.#context,
        { holder: ours, node: mine },
        { holder: theirs, node: yours },
      )
    }
    return this.#add(side, node)
  }

  #add(side: ChangingSide, node: SymbolNode): Piece | null {
    const holder = this.#holders[side]
    const reason = this.#context.forced[side].get(node.path)
    if (reason === undefined) return toPiece(holder, node)
    const { text } = holder.parsed
    const whole = text.slice(node.whole.start, node.whole.end)
    if (!whole.endsWith('\n')) return null
    const versions = side === 'ours' ? { ours: whole, theirs: '' } : { ours: '', theirs: whole }
    return toConflictPiece(versions, this.#context.markers, detectLineBreak(text), reason)
  }

  #find(side: ChangingSide, id: string): SymbolNode | undefined {
    const index = this.#views[side].ids.indexOf(id)
    return index < 0 ? undefined : this.#holders[side].members[index]
  }

  #listRemovers(id: string): readonly ChangingSide[] {
    return (['ours', 'theirs'] as const).filter((side) => !this.#views[side].ids.includes(id))
  }

  /** M1. */
  #isComplete(): boolean {
    const expected = new Set<string>()
    for (const [index, node] of this.#holders.base.members.entries()) {
      const id = `=${index}`
      const removers = this.#listRemovers(id)
      if (removers.length === 0) expected.add(id)
      for (const side of ['ours', 'theirs'] as const) {
        const kept = this.#find(side, id)
        if (removers.length === 0 || kept === undefined) continue
        if (!isSameCore(this.#holders[side], kept, this.#holders.base, node)) return false
      }
      if (removers.length > 0 && this.#done.has(id)) {
        if (node.kind !== 'import') return false
        expected.add(id)
      }
    }
    for (const side of ['ours', 'theirs'] as const)
      for (const id of this.#views[side].ids) if (!id.startsWith('=')) expected.add(id)
    return (
      expected.size === this.#done.size && [...expected].every((id) => this.#done.get(id) === 1)
    )
  }

  /** What stands between the last member and the bracket on one line. */
  #readBlanks(): string {
    const { members, parsed } = this.#holders.base
    const last = members.at(-1)
    const behind = last === undefined ? '' : parsed.text.slice(last.own.end, last.whole.end)
    return /^[ \t]*$/u.test(behind) ? behind : ''
  }

  /** Whether the last member has a separator: as the side has it that changed that. */
  #hasTrailing(): boolean {
    const { base, ours, theirs } = this.#holders
    const [old, mine, yours] = [base, ours, theirs].map((holder) => {
      const last = holder.members.at(-1)
      return last === undefined ? null : findSeparator(holder, last) !== null
    })
    return (mine === old ? yours : mine) ?? old ?? false
  }
}
