/**
 * Where a verb says things: data on stdout, decoration on stderr. With --json stdout carries only
 * JSON, and the same content.
 */
import { escapeText } from './escape-text.ts'

export type Streams = {
  readonly stdout: Sink
  readonly stderr: Sink
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly env: NodeJS.ProcessEnv
}

export type Sink = {
  write(text: string): unknown
  readonly isTTY?: boolean
  /** How wide it is. */
  readonly columns?: number
}

export type Colour = 'green' | 'red' | 'amber' | 'grey' | 'violet' | 'bold'

const CODES: Readonly<Record<Colour, number>> = {
  green: 32,
  red: 31,
  amber: 33,
  violet: 35,
  grey: 90,
  bold: 1,
}

/** The symbols of the product, each with its colour; never a colour alone. */
export const SYMBOLS = {
  allowed: '✔',
  rejected: '✖',
  waiting: '⚠',
  repeated: '↺',
  info: 'ℹ',
  step: '›',
} as const

const SYMBOL_COLOURS: Readonly<Record<string, Colour>> = {
  '✔': 'green',
  '✖': 'red',
  '⚠': 'amber',
  '↺': 'grey',
  ℹ: 'grey',
  '›': 'grey',
}

export type Output = {
  readonly json: boolean
  /** A line of the result, for people. */
  line(text?: string): void
  /** Decoration: where things are, what to do next. */
  note(text: string): void
  /** The result, for scripts. */
  data(value: unknown): void
  /** One value of several, for scripts that read line by line. */
  row(value: unknown): void
  symbol(symbol: string): string
  paint(colour: Colour, text: string): string
}

export function createOutput({ stdout, stderr, env }: Streams, json: boolean): Output {
  const coloured = stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
  const paint = (colour: Colour, text: string): string =>
    coloured ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text
  return {
    json,
    line: (text = '') => {
      if (!json) stdout.write(`${text}\n`)
    },
    note: (text) => {
      if (!json) stderr.write(`${text}\n`)
    },
    data: (value) => {
      if (json) stdout.write(`${JSON.stringify(value, null, 2)}\n`)
    },
    row: (value) => {
      if (json) stdout.write(`${JSON.stringify(value)}\n`)
    },
    symbol: (symbol) => paint(SYMBOL_COLOURS[symbol] ?? 'grey', symbol),
    paint,
  }
}

/** Columns, as wide as their widest cell. Every cell is escaped. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const safe = rows.map((row) => row.map(escapeText))
  const widths: number[] = []
  for (const row of safe)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return safe.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
