/**
 * What others rely on in a symbol, as its tokens: how it is called, not what it does. Of a type, an interface and an enum that is all
 * of it; of a value that is a function it is the head of that function.
 */
import type { Span } from '../text/span.ts'
import { listTilesIn } from '../tree/find-tiles.ts'
import type { PlacedSymbol } from './list-changes.ts'

const ALL_OF_IT: ReadonlySet<string> = new Set(['type', 'interface', 'enum'])

export function readDefinition({ holder, node }: PlacedSymbol): string {
  const { own, body, container, kind } = node
  if (ALL_OF_IT.has(kind)) return readTokens({ holder, node }, own)
  const hidden = container?.inside ?? body
  if (hidden === null) return readTokens({ holder, node }, own)
  const head = readTokens({ holder, node }, { start: own.start, end: hidden.start })
  return container === null && body !== null
    ? `${head} ${readFunctionHead({ holder, node }, body)}`
    : head
}

function readTokens(placed: PlacedSymbol, span: Span): string {
  return listTokens(placed, span).join(' ')
}

function listTokens({ holder: { parsed } }: PlacedSymbol, span: Span): readonly string[] {
  return listTilesIn(parsed, span)
    .filter(({ kind }) => kind !== 'space' && kind !== 'comment')
    .map(({ start, end }) => parsed.text.slice(start, end))
}

/** `(a, b) =>` or `function (a, b)`; empty where the value is no function. */
function readFunctionHead(placed: PlacedSymbol, body: Span): string {
  const tokens = listTokens(placed, body)
  const first = tokens[0] === 'async' ? tokens[1] : tokens[0]
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    const isArrow = token === '=' && tokens[at + 1] === '>'
    const isBlock = first === 'function' && token === '{'
    if (depth === 0 && (isArrow || isBlock)) return tokens.slice(0, at).join(' ')
    if ('([{'.includes(token)) depth += 1
    if (')]}'.includes(token)) depth -= 1
    if (depth < 0) return ''
  }
  return ''
}
