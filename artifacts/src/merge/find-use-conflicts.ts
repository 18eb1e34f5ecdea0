/**
 * Changes of two sides that touch no common symbol and yet do not go together: one takes away what the other begins to rely on. Names
 * are compared as tokens, since `a.b()` does not say whose `b` it is: a name that only looks the same is refused too.
 *
 * U1 a name that one side renamed, removed or declared otherwise, and that the other newly uses, is a conflict.
 * U2 an enum whose members took other numbers on one side, and that the other newly uses or also changes, is a conflict.
 * U3 two symbols of one name that both sides add to one container are a conflict, unless they are the same.
 */
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { Holder } from './holder.ts'
import type { PlacedSymbol, SideChange } from './list-changes.ts'
import { isSameMember } from './match-members.ts'
import type { ChangingSide, MergeConflict } from './merge.ts'
import { readDefinition } from './read-definition.ts'
import { listImportLocals, listTypeOnly } from './read-import.ts'

export type UseConflict = MergeConflict & {
  /** Whose symbol is put between conflict markers. */
  readonly side: ChangingSide
}

export type ChangesOf = Readonly<Record<ChangingSide, readonly SideChange[]>>

export function findUseConflicts(changes: ChangesOf): readonly UseConflict[] {
  return [
    ...findBrokenUses(changes, 'ours', 'theirs'),
    ...findBrokenUses(changes, 'theirs', 'ours'),
    ...findTakenNames(changes),
  ]
}

type BrokenName = {
  readonly name: string
  readonly kind: 'rename' | 'signature' | 'removal' | 'enum'
  readonly change: SideChange
}

function findBrokenUses(
  changes: ChangesOf,
  breaking: ChangingSide,
  using: ChangingSide,
): readonly UseConflict[] {
  const broken = changes[breaking]
    .filter((change) => !changes[using].some((other) => isSameChange(change, other)))
    .flatMap((change) => listBrokenNames(change))
    .filter(({ name, change }) => !isDestructuredAnew(changes[breaking], change, name))
  return changes[using].flatMap((change) => {
    const found = broken.find((one) => isBrokenBy(one, change))
    if (found === undefined || change.after === null) return []
    const { name, kind } = found
    const reason = `${using} uses \`${name}\`, which ${breaking} ${VERBS[kind]}`
    return [{ kind, side: using, path: change.after.node.path, reason }]
  })
}

const VERBS: Readonly<Record<BrokenName['kind'], string>> = {
  rename: 'renamed',
  signature: 'declares otherwise',
  removal: 'removed',
  enum: 'numbered otherwise',
}

/** What both changed themselves is for the merge of that symbol; members of an enum are numbered together. */
function isBrokenBy({ name, kind, change }: BrokenName, use: SideChange): boolean {
  if (kind === 'enum' && `${use.path}/`.startsWith(`${change.path}/`)) return true
  return use.newWords.has(name) && use.path !== change.path
}

function isSameChange(one: SideChange, other: SideChange): boolean {
  if (one.kind !== other.kind || one.path !== other.path) return false
  if (one.after === null || other.after === null) return one.after === other.after
  return isSameMember(one.after.holder, one.after.node, other.after.holder, other.after.node)
}

function listBrokenNames(change: SideChange): readonly BrokenName[] {
  const { before, after } = change
  if (before === null) return listBrokenByAddition(change)
  const { node } = before
  // An import that the other side begins to use is kept by the merge, but for one that brings types alone by now.
  if (node.kind === 'import' && after !== null)
    return listTypeOnly(before, after).map((name) => ({ name, kind: 'signature', change }))
  if (isNameless(node)) return []
  const kind = findBreak(before, after)
  if (kind === null) return []
  // What is called by the name of its class.
  const names = node.kind === 'constructor' ? [readHolderName(before.holder)] : listNames(node)
  return names.map((name) => ({ name, kind, change }))
}

/** Null: whoever relies on it can go on. */
function findBreak(before: PlacedSymbol, after: PlacedSymbol | null): BrokenName['kind'] | null {
  if (after === null) return 'removal'
  if (before.node.name !== after.node.name) return 'rename'
  if (before.node.kind === 'enum') return isRenumbered(before, after) ? 'enum' : null
  return readDefinition(before) === readDefinition(after) ? null : 'signature'
}

/** A pattern declares several names. */
function listNames({ kind, name, nameSpan }: SymbolNode): readonly string[] {
  if (nameSpan !== null || kind !== 'variable') return [name]
  return name.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []
}

/** Whoever implements an interface has to know all of it. */
function listBrokenByAddition(change: SideChange): readonly BrokenName[] {
  const holder = change.after?.holder
  if (holder?.kind === 'interface')
    return [{ name: readHolderName(holder), kind: 'signature', change }]
  if (change.after?.node.kind === 'constructor' && holder !== undefined)
    return [{ name: readHolderName(holder), kind: 'signature', change }]
  return []
}

function readHolderName({ path }: Holder): string {
  return decodeURIComponent(path.split('/').at(-1)?.split('#')[0]?.split(':')[1] ?? '')
}

/** Whether a member that stays takes another number. */
function isRenumbered(before: PlacedSymbol, after: PlacedSymbol): boolean {
  const [old, now] = [computeNumbers(before), computeNumbers(after)]
  for (const [name, number] of old) if (now.has(name) && now.get(name) !== number) return true
  return false
}

/** By the last value that is written, and how far behind it. */
function computeNumbers({ holder, node }: PlacedSymbol): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>()
  let [value, behind] = ['0', 0]
  for (const member of node.children) {
    if (member.body !== null) {
      value = holder.parsed.text.slice(member.body.start, member.body.end)
      behind = 0
    }
    numbers.set(member.name, `${value} + ${behind}`)
    behind += 1
  }
  return numbers
}

function findTakenNames({ ours, theirs }: ChangesOf): readonly UseConflict[] {
  const added = ours.filter(isNewName)
  return theirs.flatMap((change) => {
    if (!isNewName(change) || change.after === null) return []
    const { after } = change
    const other = added.find((one) => one.after !== null && isTaken(one.after, after))
    if (other === undefined) return []
    const reason = `both sides have a new \`${after.node.name}\``
    return [{ kind: 'name' as const, side: 'theirs' as const, path: after.node.path, reason }]
  })
}

/** It is new, or has a new name. */
function isNewName({ before, after }: SideChange): boolean {
  return after !== null && before?.node.name !== after.node.name
}

function isTaken(one: PlacedSymbol, other: PlacedSymbol): boolean {
  if (one.holder.path !== other.holder.path) return false
  if (isSameMember(one.holder, one.node, other.holder, other.node)) return false
  const isOneSource = one.node.kind === 'import' && one.node.name === other.node.name
  if (isOneSource && other.node.kind === 'import') return false
  const names = listDeclaredNames(one)
  return (
    listDeclaredNames(other).some((name) => names.includes(name)) && !isPair(one.node, other.node)
  )
}

function listDeclaredNames(placed: PlacedSymbol): readonly string[] {
  if (placed.node.kind === 'import') return listImportLocals(placed)
  return isNameless(placed.node) ? [] : listNames(placed.node)
}

function isNameless({ kind }: SymbolNode): boolean {
  return NAMELESS.has(kind)
}

const NAMELESS: ReadonlySet<string> = new Set([
  ...['statement', 'directive', 'import', 'export', 'export_all', 'item', 'spread', 'index'],
  ...['call', 'construct', 'static_block'],
])

/** A getter and a setter, what belongs to the class and what belongs to its objects: one name, two things. */
function isPair(one: SymbolNode, other: SymbolNode): boolean {
  const isStatic = (node: SymbolNode): boolean => node.kind.startsWith('static_')
  const kinds = [one.kind, other.kind].map((kind) => kind.replace('static_', '')).sort()
  return isStatic(one) !== isStatic(other) || kinds.join() === 'getter,setter'
}

/** A pattern that declares one name more is another symbol; the names that it had are there as before. */
function isDestructuredAnew(
  changes: readonly SideChange[],
  { before, after: now }: SideChange,
  name: string,
): boolean {
  if (before === null || now !== null || before.node.nameSpan !== null) return false
  return changes.some(
    ({ kind, after }) =>
      kind === 'added' &&
      after?.holder.path === before.holder.path &&
      after.node.nameSpan === null &&
      listDeclaredNames(after).includes(name),
  )
}

/** Whether a side declares a name of the module that it, or somebody, had declared elsewhere. */
export function isDeclaredAnew(changes: readonly SideChange[], name: string): boolean {
  return changes.some(({ kind, after, newWords }) => {
    if (after === null || after.holder.path !== '') return false
    if (after.node.kind === 'import')
      return newWords.has(name) && listImportLocals(after).includes(name)
    return kind === 'added' && listDeclaredNames(after).includes(name)
  })
}

/** Whether a side begins to use one of these names. */
export function isNewlyUsed(changes: readonly SideChange[], names: readonly string[]): boolean {
  return changes.some(
    ({ after, newWords }) =>
      after !== null && after.node.kind !== 'import' && names.some((name) => newWords.has(name)),
  )
}
