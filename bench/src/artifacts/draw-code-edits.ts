/** Edits of source files: members, bodies, names and removals, drawn from all that a file has. */
import type { ParsedText, SymbolNode } from 'rubicon-artifacts'
import type { Rng } from '../../../sim/src/rng.ts'
import { type DrawnEdit, describePlace } from './edit.ts'
import type { LinePermits } from './permitted-lines.ts'

/** Of each kind of edit, so many targets of a file. */
const TARGETS = 2

export type EditSource = {
  readonly name: string
  readonly parsed: ParsedText
  readonly lines: LinePermits
  readonly rng: Rng
}

export type HeldSymbol = { readonly symbol: SymbolNode; readonly holder: SymbolNode | null }

export function drawCodeEdits({ name, parsed, lines, rng }: EditSource): readonly DrawnEdit[] {
  const all = listHeld(parsed.symbols, null)
  const isDeclared = /\.d\.[cm]?ts$/u.test(name)
  const length = parsed.text.length
  const holders = all.filter(({ symbol }) => symbol.container !== null)
  const additions = [null, ...drawSome(holders, rng, TARGETS - 1).map(({ symbol }) => symbol)]
  const edits: DrawnEdit[] = additions.map((holder) => {
    const isAmbient = isDeclared || isDeclaration(parsed.text, holder)
    const fragment = writeMember(holder, isAmbient, rng.drawBelow(1_000))
    return {
      op: 'add',
      delta: { op: 'addMember', target: holder?.path ?? '', fragment },
      placed: describePlace('add', holder, length, fragment),
      permitted: lines.findForAddition(holder),
    }
  })
  for (const { symbol } of drawSome(all.filter(hasBody), rng, TARGETS)) {
    if (symbol.body === null) continue
    const fragment = writeBody(parsed.text, symbol)
    edits.push({
      op: 'replace',
      delta: { op: 'replaceBody', target: symbol.path, fragment },
      placed: describePlace('replace', symbol, length, fragment),
      permitted: lines.findForSpan(symbol.body),
    })
  }
  for (const { symbol } of drawSome(all.filter(hasName), rng, TARGETS)) {
    const given = `${symbol.name.startsWith('#') ? '#' : ''}renamedByBench`
    edits.push({
      op: 'rename',
      delta: { op: 'rename', target: symbol.path, name: given },
      placed: describePlace('rename', symbol, length, given),
      permitted: lines.findForWord(symbol.name),
    })
  }
  for (const { symbol, holder } of drawSome(all, rng, TARGETS))
    edits.push({
      op: 'remove',
      delta: { op: 'remove', target: symbol.path },
      placed: describePlace('remove', symbol, length),
      permitted: lines.findForRemoval(symbol, holder),
    })
  return edits
}

export function listHeld(
  symbols: readonly SymbolNode[],
  holder: SymbolNode | null,
): readonly HeldSymbol[] {
  return symbols.flatMap((symbol) => [{ symbol, holder }, ...listHeld(symbol.children, symbol)])
}

/** So many different ones, or all. */
export function drawSome<T>(from: readonly T[], rng: Rng, most: number): readonly T[] {
  const left = [...from]
  const drawn: T[] = []
  while (drawn.length < most && left.length > 0)
    drawn.push(...left.splice(rng.drawBelow(left.length), 1))
  return drawn
}

function hasBody({ symbol }: HeldSymbol): boolean {
  return symbol.body !== null
}

function hasName({ symbol }: HeldSymbol): boolean {
  return symbol.nameSpan !== null
}

/** `declare namespace` and the like: nothing in it has a body. */
function isDeclaration(text: string, holder: SymbolNode | null): boolean {
  return holder !== null && /^(?:export\s+)?declare\b/u.test(text.slice(holder.own.start))
}

function writeMember(holder: SymbolNode | null, isDeclared: boolean, number: number): string {
  const name = `addedByBench${number}`
  switch (holder?.kind) {
    case undefined:
    case 'namespace':
      return isDeclared
        ? `export declare function ${name}(): number`
        : `export function ${name}(): number {\n  return ${number}\n}`
    case 'class':
      return isDeclared ? `${name}(): number` : `${name}(): number {\n  return ${number}\n}`
    case 'interface':
      return `${name}(of: string): number`
    case 'enum':
      return `${name} = ${number}`
    default:
      return `${name}: ${number}`
  }
}

function writeBody(text: string, { kind, own, body }: SymbolNode): string {
  if (body === null) return ''
  if (kind === 'type') return '[first: string, second: number]'
  const header = text.slice(own.start, body.start)
  // Where a value is due, a bracket opens an object.
  const isBlock = text[body.start] === '{' && !/(?:[:=(,]|\bdefault)\s*$/u.test(header)
  return isBlock ? '{\n  throw new Error(`by bench`)\n}' : '12345'
}
