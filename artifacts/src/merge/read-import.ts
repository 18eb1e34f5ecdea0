/** An import as the set that it is: what stands before its names, its names, and what stands behind them. */
import { listTilesIn } from '../tree/find-tiles.ts'
import type { PlacedSymbol } from './list-changes.ts'

export type ImportName = {
  /** As it is written: `type Foo as Bar`. */
  readonly text: string
  /** What it is called here. */
  readonly local: string
}

export type ReadImport = {
  readonly head: string
  readonly names: readonly ImportName[]
  readonly tail: string
  /** Names before the brackets: a default, a namespace. */
  readonly outer: readonly string[]
  readonly isOnLines: boolean
  readonly hasTrailingComma: boolean
}

/** Null: it has no names in brackets, or comments among them, whose place means something to somebody. */
export function readImport({ holder, node }: PlacedSymbol): ReadImport | null {
  const { text } = holder.parsed
  const tiles = listTilesIn(holder.parsed, node.own)
  const read = (at: number): string => text.slice(tiles[at]?.start, tiles[at]?.end)
  const open = tiles.findIndex((_, at) => read(at) === '{')
  const close = tiles.findIndex((_, at) => at > open && read(at) === '}')
  const [opening, closing] = [tiles[open], tiles[close]]
  if (opening === undefined || closing === undefined) return null
  const within = tiles.slice(open + 1, close)
  if (within.some(({ kind }) => kind === 'comment')) return null
  const parts = text
    .slice(opening.end, closing.start)
    .split(',')
    .map((part) => part.trim().replaceAll(/\s+/gu, ' '))
  const names = parts.filter((part) => part !== '')
  const head = text.slice(node.own.start, opening.start)
  return {
    head,
    names: names.map((name) => ({ text: name, local: name.split(' ').at(-1) ?? name })),
    tail: text.slice(closing.end, node.own.end),
    outer: listOuterNames(head),
    isOnLines: text.slice(opening.end, closing.start).includes('\n'),
    hasTrailingComma: parts.length > 1 && parts.at(-1) === '',
  }
}

/** What an import calls its things here. Its head alone where it has no brackets: `import a, * as b from`. */
export function listImportLocals(placed: PlacedSymbol): readonly string[] {
  const read = readImport(placed)
  if (read !== null) return [...read.outer, ...read.names.map(({ local }) => local)]
  const { holder, node } = placed
  const words = listTilesIn(holder.parsed, node.own)
    .filter(({ kind }) => kind === 'word')
    .map(({ start, end }) => holder.parsed.text.slice(start, end))
  return words.filter((word) => !KEYWORDS.has(word))
}

/** What an import brought as a value, and brings as a type alone by now: whoever begins to use it may mean the value. */
export function listTypeOnly(before: PlacedSymbol, after: PlacedSymbol): readonly string[] {
  const were = new Set(listTypes(before))
  return listTypes(after).filter(
    (name) => !were.has(name) && listImportLocals(before).includes(name),
  )
}

function listTypes(placed: PlacedSymbol): readonly string[] {
  const { holder, node } = placed
  const text = holder.parsed.text.slice(node.own.start, node.own.end)
  if (/^import\s+type\s+(?!from\s)/u.test(text)) return listImportLocals(placed)
  const names = readImport(placed)?.names ?? []
  return names.filter((name) => /^type (?!as )/u.test(name.text)).map(({ local }) => local)
}

const KEYWORDS: ReadonlySet<string> = new Set(['import', 'type', 'from', 'as', 'with'])

function listOuterNames(head: string): readonly string[] {
  return (head.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []).filter(
    (word) => !KEYWORDS.has(word),
  )
}
