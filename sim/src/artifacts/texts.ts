/** Texts as people write them, of four formats and several styles, from a seed. */
import { type Format, findFormat, type ParsedText, type ParseResult } from 'rubicon-artifacts'
import type { Rng } from '../rng.ts'

export type DrawnText = { readonly format: Format; readonly parsed: ParsedText }

export const TEXT_NAMES = ['drawn.ts', 'drawn.json', 'drawn.yml', 'drawn.md'] as const

export type TextName = (typeof TEXT_NAMES)[number]

const FREE_INDENTS = ['  ', '    ', '\t']

const INDENTS: Readonly<Record<TextName, readonly string[]>> = {
  'drawn.ts': FREE_INDENTS,
  'drawn.json': FREE_INDENTS,
  'drawn.yml': ['  ', '    '],
  // Four columns of white space are code.
  'drawn.md': ['  '],
}

export function drawText(name: TextName, rng: Rng): DrawnText {
  const lines = WRITERS[name](rng, rng.drawBetween(2, 6))
  const isYaml = name === 'drawn.yml'
  const indent = rng.pick(INDENTS[name])
  const lineBreak = rng.pick(['\n', '\n', '\r\n'])
  const mark = !isYaml && rng.drawChance(0.1) ? '\uFEFF' : ''
  const end = rng.drawChance(0.1) ? '' : lineBreak
  const text = lines
    .map((line) => line.replace(/^ +/u, (blanks) => indent.repeat(blanks.length / 2)))
    .join(lineBreak)
  return parseText(name, `${mark}${text}${end}`)
}

export function parseText(name: string, text: string): DrawnText {
  const format = findFormat(name)
  const parsed = format?.parse(text)
  if (format === null || format === undefined || parsed?.ok !== true)
    throw new Error(`a drawn text is read as ${name}`)
  return { format, parsed: parsed.value }
}

/** Of a large batch, so many texts are kept: more of them cost more memory than they save. */
const REMEMBERED = 512

/**
 * What is parsed depends on the text alone, so that a text that another order came by is not parsed again: orders of undoing five deltas
 * come by 32 texts, 325 times.
 */
export function rememberParses({ format, parsed }: DrawnText): DrawnText {
  const known = new Map<string, ParseResult>([[parsed.text, { ok: true, value: parsed }]])
  const parse = (text: string): ParseResult => {
    const found = known.get(text) ?? format.parse(text)
    // What was asked for last is kept longest.
    known.delete(text)
    known.set(text, found)
    const [oldest] = known.size > REMEMBERED ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return found
  }
  return { format: { ...format, parse }, parsed }
}

const WRITERS: Readonly<Record<TextName, (rng: Rng, parts: number) => readonly string[]>> = {
  'drawn.ts': (rng, parts) => [
    "import { clock } from './clock.ts'",
    '',
    ...listNumbers(parts).flatMap((i) => [
      ...rng.pick(CODE)(i),
      ...(rng.drawChance(0.7) ? [''] : []),
    ]),
  ],
  'drawn.json': (rng, parts) => [
    '{',
    ...listNumbers(parts).flatMap((i) => {
      const value = rng.pick(VALUES)
      const last = value.length - 1
      return value.map((line, at) => {
        const head = at === 0 ? `  "k${i}": ` : '  '
        return `${head}${line}${at === last && i < parts - 1 ? ',' : ''}`
      })
    }),
    '}',
  ],
  'drawn.yml': (rng, parts) => listNumbers(parts).flatMap((i) => rng.pick(MAPPINGS)(i)),
  'drawn.md': (rng, parts) => [
    ...(rng.drawChance(0.5) ? ['# Title', '', 'What it is about.', ''] : []),
    ...listNumbers(parts).flatMap((i) => [...rng.pick(SECTIONS)(i), '']),
  ],
}

function listNumbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => i)
}

type WritePart = (i: number) => readonly string[]

const CODE: readonly WritePart[] = [
  (i) => [
    `/** Says what ${i} is. */`,
    `export function read${i}(at: number): number {`,
    `  return at + ${i}`,
    '}',
  ],
  (i) => [
    `export class Store${i} {`,
    '  readonly #rows = new Map<string, number>()',
    '',
    '  // Null where there is none.',
    '  find(key: string): number | null {',
    '    return this.#rows.get(key) ?? null',
    '  }',
    '',
    '  put(key: string, row: number): void {',
    '    this.#rows.set(key, row)',
    '  } // as it was',
    '}',
  ],
  (i) => [`export enum Level${i} {`, '  low,', '  middle = 4,', '  high,', '}'],
  (i) => [
    `export interface Shape${i} {`,
    '  readonly name: string',
    '  area(unit: string): number',
    '}',
  ],
  (i) => [`export const table${i} = { one: 1, two: 2 }`],
  (i) => [`const limit${i} = (at: number): number => at * 2`],
  (i) => [`export type Pair${i} = readonly [string, number]`],
]

const VALUES: readonly (readonly string[])[] = [
  ['1'],
  ['"text, with: {marks}"'],
  ['[1, 2, { "a": null }]'],
  ['{}'],
  ['{ "a": 1, "b": [true] }'],
  ['{', '  "a": {', '    "b": 2', '  },', '  "c": 3', '}'],
  ['[', '  "one",', '  "two"', ']'],
]

const MAPPINGS: readonly WritePart[] = [
  (i) => [`k${i}: 1 # One.`],
  (i) => [`k${i}:`, '  a: text', '  b:', '    c: 2', '    d: three'],
  (i) => ['# About it.', `k${i}: |`, '  line', '   more'],
  (i) => [`k${i}: { a: 1, b: [2, 3] }`],
  (i) => [`k${i}:`, '  - one', '  - two'],
]

const SECTIONS: readonly WritePart[] = [
  (i) => [`## Part ${i}`, '', `What part ${i} says,`, 'in two lines.'],
  (i) => [`## Part ${i}`, '', '- one', '- two', '', `### Below ${i}`, '', 'Of it, a part.'],
  (i) => [`Part ${i}`, '------', '', '```ts', `# no heading ${i}`, 'const a = 1', '```'],
  (i) => [`## Part ${i}`, '', '| a | b |', '|---|---|', `| 1 | ${i} |`],
  (i) => [`# Chapter ${i}`, '', '> A quote.', '', `## Inside ${i}`, '', '1. first', '2. second'],
]
