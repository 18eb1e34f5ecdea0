/** Deltas that may fit a text, or not. */
import type { Anchor, Delta, Format, ParsedText, SymbolNode } from 'rubicon-artifacts'
import type { Rng } from '../rng.ts'

/** `number`: what is put in gets a name of its own by it. */
export function drawDelta(
  { text, symbols }: ParsedText,
  { media, type }: Format,
  rng: Rng,
  number: number,
): Delta {
  const all = listSymbols(symbols)
  const containers = ['', ...all.flatMap((one) => (one.container === null ? [] : [one.path]))]
  const container = rng.pick(containers)
  const siblings = all.filter(({ path }) => toHolder(path) === container)
  const at = rng.pick([{}, {}, { at: { after: null } }, drawAnchor(siblings, rng)])
  const symbol = all.length === 0 ? null : rng.pick(all)
  const target = symbol?.path ?? ''
  const isCode = type === 'code'
  if (type === 'spec') return drawSectionDelta({ target, container, at }, symbol, rng, number)
  switch (rng.drawBelow(isCode ? 10 : 5)) {
    case 2:
      if (isCode) break
      return { op: 'setValue', target, value: rng.pick([1, 'two', [3], { four: 4 }]) }
    case 0:
      return { op: 'remove', target }
    case 1:
      return { op: 'replaceBody', target, fragment: drawBody(symbol, type, rng) }
    case 5:
      return { op: 'rename', target, name: `other${number}` }
    case 6:
      return { op: 'addImport', from: `./m${rng.drawBelow(4)}.ts`, name: `given${number}` }
    case 7:
      return { op: 'move', target, to: container, ...at }
    case 8:
      return { op: 'setSignature', target, fragment: drawHeader(text, symbol, rng) }
  }
  const holder = all.find(({ path }) => path === container) ?? null
  const fragment = drawMember(holder, { media, type }, rng, number)
  return { op: 'addMember', target: container, fragment, ...at }
}

type DeltaPlace = {
  readonly target: string
  readonly container: string
  readonly at: { readonly at?: Anchor }
}

/** Of a document. */
function drawSectionDelta(
  { target, container, at }: DeltaPlace,
  symbol: SymbolNode | null,
  rng: Rng,
  number: number,
): Delta {
  const body = rng.pick([
    `Text ${number}.`,
    `- item ${number}\n- more`,
    `\`\`\`\n# ${number}\n\`\`\``,
  ])
  const level = '#'.repeat(container === '' ? rng.drawBetween(1, 2) : rng.drawBetween(2, 4))
  const section = `${level} New ${number}\n\n${body}`
  switch (rng.drawBelow(6)) {
    case 0:
      return { op: 'remove', target }
    case 1:
      return { op: 'replaceBody', target, fragment: body }
    case 2:
      return { op: 'replaceSection', target, fragment: drawSection(symbol, body) }
    case 3:
      return { op: 'move', target, to: container, ...at }
    default:
      return { op: 'addSection', target: container, fragment: section, ...at }
  }
}

/** With its heading as it is called, or only what comes below it. */
function drawSection(symbol: SymbolNode | null, body: string): string {
  return symbol === null || symbol.kind !== 'section' || body.startsWith('-')
    ? body
    : `## ${symbol.name}\n\n${body}`
}

/** What it has, with something else in it. */
function drawHeader(text: string, symbol: SymbolNode | null, rng: Rng): string {
  if (symbol === null) return ''
  const { own, body, container } = symbol
  const end = body?.start ?? (container === null ? own.end : container.inside.start - 1)
  const header = text.slice(own.start, end)
  return rng.pick([
    header.replace('number', 'string'),
    header.replace('(', '(first: 1, '),
    header.replace(/^export /u, ''),
    `${header.trimEnd()} /* more */`,
  ])
}

function drawAnchor(
  siblings: readonly SymbolNode[],
  rng: Rng,
): { readonly at?: { readonly after: string } } {
  return siblings.length === 0 ? {} : { at: { after: rng.pick(siblings).path } }
}

function drawMember(
  holder: SymbolNode | null,
  { media, type }: Pick<Format, 'media' | 'type'>,
  rng: Rng,
  number: number,
): string {
  const name = `n${number}`
  if (media === 'application/yaml')
    return rng.pick([
      `${name}: 1`,
      `${name}:\n  a: 1\n  b: two`,
      `- ${name}`,
      `${name}: |\n  x\n   y`,
    ])
  if (type === 'config')
    return rng.pick([`"${name}": 1`, `"${name}": {\n  "a": [1]\n}`, `"${name}"`])
  switch (holder?.kind) {
    case 'class':
      return rng.pick([
        `${name}(): number {\n  // How many.\n  return ${number}\n}`,
        `${name}: string | undefined`,
      ])
    case 'interface':
      return `${name}?: string`
    case 'enum':
      return name
    case undefined:
      return rng.pick([
        `export function ${name}(of: string): string {\n  return \`\${of}\n  ${number}\`\n}`,
        `export interface ${name} {\n  readonly id: string\n}`,
        `/** About it. */\nexport class ${name} {}`,
      ])
    default:
      return `${name}: ${number}`
  }
}

function drawBody(symbol: SymbolNode | null, type: Format['type'], rng: Rng): string {
  if (type === 'config') return rng.pick(['3', '"x"', '{ "a": 1 }', '[1, 2]'])
  const isBlock = symbol?.kind === 'function' || symbol?.kind === 'method'
  return isBlock ? rng.pick(['{ return 3 }', '{\n  return 4\n}']) : rng.pick(['5', '(6)'])
}

export function listSymbols(symbols: readonly SymbolNode[]): readonly SymbolNode[] {
  return symbols.flatMap((symbol) => [symbol, ...listSymbols(symbol.children)])
}

function toHolder(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}
