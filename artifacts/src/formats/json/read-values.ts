/**
 * Reads JSON, and JSON with comments and trailing commas, into values with their places. Tokens come from jsonc-parser's scanner and
 * tile the text; what a text may be is decided here.
 */
import { createScanner, type SyntaxKind } from 'jsonc-parser'
import { err, ok, type Result } from 'rubicon-kernel'
import { ARTIFACT_LIMITS } from '../../limits.ts'
import type { Span } from '../../text/span.ts'
import type { ParseProblem } from '../../tree/parsed.ts'
import { pushTile, type Tile, type TileKind } from '../../tree/tile.ts'

export type ReadValue = Span & {
  readonly members: readonly ReadMember[] | null
  readonly shape: 'object' | 'array' | 'plain'
}

/** A key with its value, or an item. */
export type ReadMember = Span & {
  readonly key: (Span & { readonly name: string }) | null
  readonly value: ReadValue
}

export type ReadJson = { readonly value: ReadValue; readonly tiles: readonly Tile[] }

type Token = Span & { readonly kind: SyntaxKind; readonly text: string }

/** As the library numbers them: its own names do not outlive compilation. */
const KIND = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  nullWord: 7,
  trueWord: 8,
  falseWord: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  trivia: 15,
  unknown: 16,
  end: 17,
} as const

const PLAIN: ReadonlySet<number> = new Set([
  KIND.nullWord,
  KIND.trueWord,
  KIND.falseWord,
  KIND.string,
  KIND.number,
])

/** `isStrict`: comments and trailing commas are refused. */
export function readJson(text: string, isStrict: boolean): Result<ReadJson, ParseProblem> {
  const { tokens, tiles, problem } = listTokens(text, isStrict)
  if (problem !== null) return err(problem)
  const reader = new ValueReader(tokens, text.length, isStrict)
  try {
    return ok({ value: reader.readDocument(), tiles })
  } catch (error) {
    if (error instanceof ValueProblem) return err(error.problem)
    throw error
  }
}

function listTokens(
  text: string,
  isStrict: boolean,
): {
  readonly tokens: readonly Token[]
  readonly tiles: readonly Tile[]
  readonly problem: ParseProblem | null
} {
  const scanner = createScanner(text, false)
  const tokens: Token[] = []
  const tiles: Tile[] = []
  for (let kind = scanner.scan(); kind !== KIND.end; kind = scanner.scan()) {
    const start = scanner.getTokenOffset()
    const span = { start, end: start + scanner.getTokenLength() }
    const fail = (detail: string) => ({ tokens, tiles, problem: { detail, at: span } })
    // The mark that a text may begin with is white space to us, and unknown to the scanner.
    if (kind === KIND.unknown && start === 0 && text[0] === '\uFEFF') {
      tiles.push({ start: 0, end: 1, kind: 'space' })
      if (span.end > 1) scanner.setPosition(1)
      continue
    }
    const tileKind = toTileKind(kind)
    if (tileKind === null || scanner.getTokenError() !== 0) return fail('this is no JSON')
    if (isStrict && tileKind === 'comment') return fail('JSON has no comments')
    pushTile(tiles, { ...span, kind: tileKind })
    if (tileKind !== 'space' && tileKind !== 'comment')
      tokens.push({ ...span, kind, text: scanner.getTokenValue() })
  }
  return { tokens, tiles, problem: null }
}

function toTileKind(kind: SyntaxKind): TileKind | null {
  if (kind === KIND.trivia || kind === KIND.lineBreak) return 'space'
  if (kind === KIND.lineComment || kind === KIND.blockComment) return 'comment'
  if (kind === KIND.string || kind === KIND.number) return 'literal'
  if (kind === KIND.unknown) return null
  return PLAIN.has(kind) ? 'word' : 'mark'
}

class ValueProblem extends Error {
  readonly problem: ParseProblem

  constructor(problem: ParseProblem) {
    super(problem.detail)
    this.problem = problem
  }
}

class ValueReader {
  readonly #tokens: readonly Token[]
  readonly #end: number
  readonly #isStrict: boolean
  #next = 0

  constructor(tokens: readonly Token[], end: number, isStrict: boolean) {
    this.#tokens = tokens
    this.#end = end
    this.#isStrict = isStrict
  }

  readDocument(): ReadValue {
    const value = this.#readValue(0)
    const more = this.#tokens[this.#next]
    if (more !== undefined) throw new ValueProblem({ detail: 'a document has one value', at: more })
    return value
  }

  #readValue(depth: number): ReadValue {
    if (depth > ARTIFACT_LIMITS.depth)
      throw new ValueProblem({
        detail: `it is nested deeper than ${ARTIFACT_LIMITS.depth} levels`,
        at: this.#peek() ?? null,
      })
    const first = this.#take('a value is missing')
    if (PLAIN.has(first.kind))
      return { start: first.start, end: first.end, members: null, shape: 'plain' }
    if (first.kind === KIND.openBrace) return this.#readMembers(first, depth, 'object')
    if (first.kind === KIND.openBracket) return this.#readMembers(first, depth, 'array')
    throw new ValueProblem({ detail: 'a value is missing', at: first })
  }

  #readMembers({ start }: Span, depth: number, shape: 'object' | 'array'): ReadValue {
    const close = shape === 'object' ? KIND.closeBrace : KIND.closeBracket
    const members: ReadMember[] = []
    const names = new Set<string>()
    for (let isFirst = true; ; isFirst = false) {
      if (!isFirst && this.#peek()?.kind !== close) this.#expect(KIND.comma, 'a comma is missing')
      const token = this.#peek()
      if (token?.kind === close) {
        const hasTrailing = !isFirst && this.#tokens[this.#next - 1]?.kind === KIND.comma
        if (hasTrailing && this.#isStrict)
          throw new ValueProblem({ detail: 'JSON has no comma behind the last member', at: token })
        this.#next += 1
        return { start, end: token.end, members, shape }
      }
      const key = shape === 'object' ? this.#readKey(names) : null
      const value = this.#readValue(depth + 1)
      members.push({ start: key?.start ?? value.start, end: value.end, key, value })
    }
  }

  #readKey(names: Set<string>): Span & { readonly name: string } {
    const { start, end, text: name } = this.#expect(KIND.string, 'a key is missing')
    // Which of two counts is for whoever reads it, and they do not agree.
    if (names.has(name))
      throw new ValueProblem({ detail: `the key \`${name}\` is there twice`, at: { start, end } })
    names.add(name)
    this.#expect(KIND.colon, 'a colon is missing')
    return { start, end, name }
  }

  #expect(kind: number, detail: string): Token {
    const token = this.#take(detail)
    if (token.kind !== kind) throw new ValueProblem({ detail, at: token })
    return token
  }

  #take(detail: string): Token {
    const token = this.#peek()
    if (token === undefined)
      throw new ValueProblem({ detail, at: { start: this.#end, end: this.#end } })
    this.#next += 1
    return token
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next]
  }
}
