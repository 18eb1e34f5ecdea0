/**
 * Where a verb says things: data on stdout, decoration on stderr. With --json stdout carries only
 * JSON, and the same content.
 *
 * O1 a terminal obeys nothing that came from somebody else: whatever is said here is escaped, and colours alone are
 *    not. A colour is a mark that nobody can write who has not seen it, until it is said.
 * O2 what came from somebody else makes no line of its own, which could be read as one of ours: a line break in a line is
 *    escaped, too. Whoever has several lines says each.
 */
import { randomUUID } from 'node:crypto'
import { escapeControls, shorten } from 'rubicon-kernel'
import { nameCommands } from './command-name.ts'
import { escapeText } from './escape-text.ts'

export type CommandStreams = {
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

const ANY_WIDTH = Number.POSITIVE_INFINITY
const BETWEEN = '  '
/** A column is not cut below this; rather a line wraps. */
const NARROWEST = 8

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
  /** A line of the result, for people: one, whatever is in it. */
  line(text?: string): void
  /** A line of the result that says what to do: commands in it are named as this one was started. */
  hint(text: string): void
  /** Decoration: where things are, what to do next. */
  note(text: string): void
  /** The result, for scripts. */
  data(value: unknown): void
  /** One value of several, for scripts that read line by line. */
  row(value: unknown): void
  /** How many characters a line of the result has room for; a file has for all. */
  readonly width: number
  symbol(symbol: string): string
  paint(colour: Colour, text: string): string
}

export function createOutput({ stdout, stderr, env }: CommandStreams, json: boolean): Output {
  const coloured = stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
  const marks = new ColourMarks()
  const paint = (colour: Colour, text: string): string =>
    coloured ? `${marks.createMark(CODES[colour])}${text}${marks.createMark(0)}` : text
  const writeLine = (text = ''): void => {
    if (!json) stdout.write(`${marks.renderMarks(text)}\n`)
  }
  return {
    json,
    line: writeLine,
    hint: (text) => writeLine(nameCommands(text, env)),
    note: (text) => {
      if (!json) stderr.write(`${marks.renderMarks(nameCommands(text, env))}\n`)
    },
    data: (value) => {
      if (json) stdout.write(serialiseJson(value, 2))
    },
    row: (value) => {
      if (json) stdout.write(serialiseJson(value))
    },
    width: stdout.isTTY === true ? (stdout.columns ?? ANY_WIDTH) : ANY_WIDTH,
    symbol: (symbol) => paint(SYMBOL_COLOURS[symbol] ?? 'grey', symbol),
    paint,
  }
}

/** Where a colour begins and ends in a text that is not escaped yet. */
class ColourMarks {
  readonly #secret = randomUUID()
  readonly #mark = new RegExp(`<${this.#secret}:([0-9]+)>`)

  createMark(code: number): string {
    return `<${this.#secret}:${code}>`
  }

  /** Every second piece is what a mark says. */
  renderMarks(text: string): string {
    return text
      .split(this.#mark)
      .map((piece, index) => (index % 2 === 0 ? escapeLine(piece) : `\u001b[${piece}m`))
      .join('')
  }
}

function escapeLine(text: string): string {
  return escapeControls(text).replaceAll('\n', '\\u000a')
}

/** A line of JSON, or several. */
export function serialiseJson(value: unknown, indent?: number): string {
  return `${escapeControls(JSON.stringify(value, null, indent))}\n`
}

/** Bytes that others read again are written as they are, but for a terminal. */
export function writeRaw(sink: Sink, text: string): void {
  sink.write(sink.isTTY === true ? escapeControls(text) : text)
}

/**
 * Columns, as wide as their widest cell. Every cell is escaped. What does not fit into `room` is taken
 * from the widest ones; never from the first, by which things are named.
 */
export function formatTable(
  rows: readonly (readonly string[])[],
  room: number = ANY_WIDTH,
): readonly string[] {
  const safe = rows.map((row) => row.map(escapeText))
  const widths: number[] = []
  for (const row of safe)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
  const fitted = shrinkWidths(widths, room)
  return safe.map((row) =>
    row
      .map((cell, index) => cut(cell, fitted[index] ?? 0).padEnd(fitted[index] ?? 0))
      .join(BETWEEN)
      .trimEnd(),
  )
}

function shrinkWidths(widths: readonly number[], room: number): readonly number[] {
  const fitted = [...widths]
  for (;;) {
    const total = fitted.reduce((sum, width) => sum + width + BETWEEN.length, -BETWEEN.length)
    const widest = Math.max(0, ...fitted.slice(1))
    if (total <= room || widest <= NARROWEST) return fitted
    fitted[fitted.lastIndexOf(widest)] = widest - 1
  }
}

function cut(cell: string, width: number): string {
  return cell.length <= width ? cell : `${shorten(cell, width - 1)}…`
}
