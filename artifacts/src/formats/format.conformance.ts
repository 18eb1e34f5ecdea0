/** What every format holds, whatever it reads. A new one is tested by a sample of it in `formats.test.ts`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delta } from '../delta/delta.ts'
import type { Plan } from '../delta/plan.ts'
import { planDelta } from '../delta/plan-delta.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { parsePath } from '../path/symbol-path.ts'
import { isInside } from '../text/span.ts'
import { applySplices } from '../text/splice.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { Format } from './format.ts'
import { findFormat } from './formats.ts'
import { parseBytes } from './parse-bytes.ts'

export type FormatSample = {
  /** Of a file, by which its format is found. */
  readonly name: string
  /** With line feeds, and one at its end. */
  readonly text: string
  readonly add: Delta
  readonly replace: Delta
  readonly remove: Delta
  /** A fragment that closes what it did not open, or swallows what follows. */
  readonly reachingOut: Delta
  /** A text that is none of the format. */
  readonly broken: string
  /** A text that is nested so deeply. */
  readonly nest: (depth: number) => string
  /** A character of text that may stand at the end as often as one likes. */
  readonly filler: string
}

const BOM = '\uFEFF'

/** How the same text may come. */
const VARIANTS: readonly (readonly [name: string, vary: (text: string) => string])[] = [
  ['line feeds', (text) => text],
  ['carriage returns', (text) => text.replaceAll('\n', '\r\n')],
  ['mixed line breaks', (text) => mixBreaks(text)],
  ['a byte order mark', (text) => `${BOM}${text}`],
  ['no final line break', (text) => text.trimEnd()],
  ['blank lines at its end', (text) => `${text}\n\n`],
]

export function testFormat(sample: FormatSample): void {
  const format = findFormat(sample.name)
  assert.ok(format !== undefined, `nothing reads ${sample.name}`)
  for (const [variant, vary] of VARIANTS) {
    const text = vary(sample.text)
    const title = `${sample.name} with ${variant}`
    test(`${title}: its tiles are its text, and its symbols have places and paths of their own`, () =>
      checkTree(parse(format, text)))
    for (const [what, delta] of Object.entries({
      add: sample.add,
      replace: sample.replace,
      remove: sample.remove,
    }))
      test(`${title}: ${what} touches nothing else, and its inverse gives the same bytes`, () =>
        checkDelta(format, text, delta))
    test(`${title}: a fragment that reaches beyond its place is refused`, () => {
      const plan = planDelta(parse(format, text), sample.reachingOut, format)
      assert.ok(
        !plan.ok && /^FRAGMENT_/u.test(plan.error.code),
        plan.ok ? plan.value.after.text : '',
      )
    })
  }
  testRefusals(format, sample)
}

function testRefusals(format: Format, sample: FormatSample): void {
  const { name } = sample
  test(`${name}: what is none of its format is refused`, () => {
    assert.equal(format.parse(sample.broken).ok, false)
  })
  test(`${name}: a target that is not there, or is no path, is refused`, () => {
    const parsed = parse(format, sample.text)
    for (const [target, code] of [
      ['key:nobody/key:has', 'TARGET_MISSING'],
      ['src/secret.ts', 'PATH_INVALID'],
    ] as const) {
      const plan = planDelta(parsed, { op: 'remove', target }, format)
      assert.equal(plan.ok ? null : plan.error.code, code)
    }
  })
  test(`${name}: what is nested deeper than the limit is refused, and the parser survives it`, () => {
    assert.ok(format.parse(sample.nest(5)).ok)
    for (const depth of [ARTIFACT_LIMITS.depth * 5, 3_000])
      assert.equal(format.parse(sample.nest(depth)).ok, false, `${depth} levels`)
  })
  test(`${name}: a text of more than 4 MB is refused, also behind a change`, () => {
    const long = `${sample.text}${sample.filler.repeat(ARTIFACT_LIMITS.bytes)}`
    const parsed = format.parse(long)
    assert.match(parsed.ok ? '' : parsed.error.detail, /more than 4194304 bytes/u)
    const bytes = new Uint8Array(10_000_000).fill(sample.filler.charCodeAt(0))
    const read = parseBytes(bytes, format)
    assert.equal(read.ok ? null : read.error.code, 'ARTIFACT_TOO_LARGE')
  })
  test(`${name}: bytes that are no UTF-8 are refused, and a byte order mark is kept`, () => {
    const bytes = new TextEncoder().encode(sample.text)
    for (const wrong of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
      const read = parseBytes(new Uint8Array([...bytes, ...wrong]), format)
      assert.equal(read.ok ? null : read.error.code, 'ARTIFACT_UNREADABLE')
    }
    const marked = parseBytes(new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]), format)
    assert.equal(marked.ok && marked.value.text, `${BOM}${sample.text}`)
  })
  test(`${name}: what is installed is read, and never written`, () => {
    const installed = findFormat(`node_modules/a/${name}`)
    assert.ok(installed !== undefined)
    for (const delta of [sample.add, sample.replace, sample.remove]) {
      const plan = planDelta(parse(installed, sample.text), delta, installed)
      assert.equal(plan.ok ? null : plan.error.code, 'TARGET_READ_ONLY')
    }
  })
}

function checkTree(parsed: ParsedText): void {
  const { text, tiles, symbols } = parsed
  assert.equal(tiles.map(({ start, end }) => text.slice(start, end)).join(''), text)
  for (const { start, end, kind } of tiles) {
    assert.ok(end > start, 'a tile holds something')
    assert.equal(kind === 'space', text.slice(start, end).trim() === '', 'white space is space')
  }
  const all = listAll(symbols)
  assert.equal(new Set(all.map(({ path }) => path)).size, all.length)
  for (const symbol of all) {
    assert.ok(parsePath(symbol.path).ok, symbol.path)
    const found = findSymbol(parsed, symbol.path)
    assert.equal(found.ok && found.value, symbol)
    assert.ok(isInside(symbol.own, symbol.whole), symbol.path)
    for (const child of symbol.children)
      assert.ok(isInside(child.own, symbol.container?.inside ?? symbol.own), child.path)
    checkOrder(symbol.children)
  }
  checkOrder(symbols)
}

function checkOrder(symbols: readonly SymbolNode[]): void {
  for (const [i, symbol] of symbols.entries())
    assert.ok(i === 0 || (symbols[i - 1]?.whole.end ?? 0) <= symbol.whole.start, symbol.path)
}

function checkDelta(format: Format, text: string, delta: Delta): void {
  const plan = planDelta(parse(format, text), delta, format)
  assert.ok(plan.ok, plan.ok ? '' : `${plan.error.code} ${plan.error.detail}`)
  const { splices, after, inverse }: Plan = plan.value
  assert.notEqual(after.text, text)
  assert.equal(applySplices(text, splices), after.text)
  assert.equal(applySplices(after.text, inverse), text)
  assert.equal(after.text.startsWith(BOM), text.startsWith(BOM))
  if (isAllCarriageReturns(text)) assert.ok(isAllCarriageReturns(after.text), after.text)
  checkTree(after)
}

function isAllCarriageReturns(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/u.test(text)
}

function mixBreaks(text: string): string {
  return text.split('\n').reduce((all, line, i) => `${all}${i % 2 === 0 ? '\n' : '\r\n'}${line}`)
}

function parse(format: Format, text: string): ParsedText {
  const parsed = format.parse(text)
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error.detail)
  return parsed.value
}

function listAll(symbols: readonly SymbolNode[]): readonly SymbolNode[] {
  return symbols.flatMap((symbol) => [symbol, ...listAll(symbol.children)])
}
