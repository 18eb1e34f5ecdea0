/** Edits of configurations, by keys and values, and of documents, by sections. */
import type { SymbolNode } from 'rubicon-artifacts'
import { drawSome, type EditSource } from './draw-code-edits.ts'
import { type DrawnEdit, describePlace } from './edit.ts'

/** A symbol with what holds it, and the keys and indexes that lead to its value. */
type KeyedSymbol = {
  readonly symbol: SymbolNode
  readonly holder: SymbolNode | null
  readonly keys: readonly (string | number)[]
}

const TARGETS = 2
const NEW_KEY = 'addedByBench'
const VALUES = [12345, 'by bench', true, null] as const

export function drawValueEdits({ parsed, lines, rng }: EditSource): readonly DrawnEdit[] {
  const all = listKeyed(parsed.symbols, null, [])
  const length = parsed.text.length
  const isMapping = (symbols: readonly SymbolNode[]): boolean =>
    symbols.length > 0 && symbols.every(({ kind }) => kind === 'key')
  const holders = all.filter(({ symbol }) => isMapping(symbol.children))
  const root = isMapping(parsed.symbols) ? [null] : []
  const edits: DrawnEdit[] = [...root, ...drawSome(holders, rng, TARGETS - 1)].map((keyed) => {
    const value = rng.pick(VALUES)
    const prefix = keyed === null ? '' : `${keyed.symbol.path}/`
    const symbol = keyed?.symbol ?? null
    return {
      op: 'add',
      delta: { op: 'setValue', target: `${prefix}key:${NEW_KEY}`, value },
      placed: {
        ...describePlace('add', symbol, length),
        keys: [...(keyed?.keys ?? []), NEW_KEY],
        value,
      },
      permitted: lines.findForAddition(symbol),
    }
  })
  for (const { symbol, keys } of drawSome(all, rng, TARGETS)) {
    const value = rng.pick(VALUES)
    edits.push({
      op: 'replace',
      delta: { op: 'setValue', target: symbol.path, value },
      placed: { ...describePlace('replace', symbol, length), keys, value },
      permitted: lines.findForSpan(symbol.own),
    })
  }
  for (const { symbol, holder, keys } of drawSome(all, rng, TARGETS))
    edits.push({
      op: 'remove',
      delta: { op: 'removeKey', target: symbol.path },
      placed: { ...describePlace('remove', symbol, length), keys },
      permitted: lines.findForRemoval(symbol, holder),
    })
  return edits
}

function listKeyed(
  symbols: readonly SymbolNode[],
  holder: SymbolNode | null,
  above: readonly (string | number)[],
): readonly KeyedSymbol[] {
  return symbols.flatMap((symbol, index) => {
    const keys = [...above, symbol.kind === 'item' ? index : symbol.name]
    return [{ symbol, holder, keys }, ...listKeyed(symbol.children, symbol, keys)]
  })
}

const PARAGRAPH = 'Written by the bench,\nin two lines.'

export function drawSectionEdits({ parsed, lines, rng }: EditSource): readonly DrawnEdit[] {
  const length = parsed.text.length
  const all = listKeyed(parsed.symbols, null, [])
  const sections = all.filter(({ symbol }) => symbol.kind === 'section')
  const edits: DrawnEdit[] = [null, ...drawSome(sections, rng, TARGETS - 1)].map((keyed) => {
    const symbol = keyed?.symbol ?? null
    const level = symbol === null ? 1 : readLevel(parsed.text, symbol) + 1
    const fragment = `${'#'.repeat(Math.min(level, 6))} Added by bench\n\n${PARAGRAPH}`
    return {
      op: 'add',
      delta: { op: 'addSection', target: symbol?.path ?? '', fragment },
      placed: { ...describePlace('add', symbol, length, fragment), kind: 'document' },
      permitted: lines.findForAddition(symbol),
    }
  })
  for (const { symbol } of drawSome(sections, rng, TARGETS)) {
    if (symbol.body === null) continue
    edits.push({
      op: 'replace',
      delta: { op: 'replaceSection', target: symbol.path, fragment: PARAGRAPH },
      placed: describePlace('replace', symbol, length, PARAGRAPH),
      permitted: lines.findForSpan(symbol.own),
    })
  }
  for (const { symbol, holder } of drawSome(sections, rng, TARGETS))
    edits.push({
      op: 'remove',
      delta: { op: 'remove', target: symbol.path },
      placed: describePlace('remove', symbol, length),
      permitted: lines.findForRemoval(symbol, holder),
    })
  return edits
}

/** A heading below a line of `=` or `-` has level 1 or 2. */
function readLevel(text: string, { own }: SymbolNode): number {
  const [marks] = /^#+/u.exec(text.slice(own.start, own.start + 8)) ?? []
  return marks?.length ?? (/^[^\n]*\n *=+ *$/mu.test(text.slice(own.start, own.end)) ? 1 : 2)
}
