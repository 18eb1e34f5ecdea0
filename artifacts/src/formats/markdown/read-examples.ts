/**
 * The table of examples of a requirement: a line that names the columns, a line of dashes, and a line for each example. `symbol` says
 * what is called; `input` and `expected` are JSON.
 */
import { checkJson, err, type JsonValue, ok, type Result } from 'rubicon-kernel'
import type { Span } from '../../text/span.ts'
import type { ParseProblem } from '../../tree/parsed.ts'

export type RequirementExample = {
  readonly symbol: string
  readonly input: JsonValue
  readonly expected: JsonValue
  readonly at: Span
}

type Cell = Span & { readonly text: string }
type Row = Span & { readonly cells: readonly Cell[] }

const COLUMNS = ['symbol', 'input', 'expected'] as const
const DASHES = /^:?-+:?$/u

export function readExamples(
  text: string,
  content: Span,
): Result<readonly RequirementExample[], ParseProblem> {
  const [head, line, ...rows] = listRows(text, content)
  if (head === undefined || head.cells.map((cell) => cell.text).join() !== COLUMNS.join())
    return err({
      detail: `the columns of examples are \`| ${COLUMNS.join(' | ')} |\``,
      at: head ?? content,
    })
  const isLine = line?.cells.every((cell) => DASHES.test(cell.text)) === true
  if (!isLine || line.cells.length !== COLUMNS.length)
    return err({ detail: 'behind the columns comes `|---|---|---|`', at: line ?? head })
  const examples: RequirementExample[] = []
  for (const row of rows) {
    const example = readExample(row)
    if (!example.ok) return example
    examples.push(example.value)
  }
  if (examples.length === 0) return err({ detail: 'a table of examples has one', at: content })
  return ok(examples)
}

function readExample(row: Row): Result<RequirementExample, ParseProblem> {
  const [symbol, input, expected] = row.cells
  const isFull = symbol !== undefined && input !== undefined && expected !== undefined
  if (!isFull || row.cells.length > COLUMNS.length)
    return err({ detail: `an example has ${COLUMNS.length} cells`, at: row })
  if (symbol.text === '') return err({ detail: 'it does not say which symbol', at: symbol })
  const given = readCell(input)
  if (!given.ok) return given
  const due = readCell(expected)
  if (!due.ok) return due
  const at = { start: row.start, end: row.end }
  return ok({ symbol: symbol.text, input: given.value, expected: due.value, at })
}

function readCell({ text, start, end }: Cell): Result<JsonValue, ParseProblem> {
  const problem = { detail: `\`${text}\` is no JSON`, at: { start, end } }
  try {
    const checked = checkJson(JSON.parse(text))
    return checked.ok ? checked : err(problem)
  } catch {
    return err(problem)
  }
}

function listRows(text: string, { start, end }: Span): readonly Row[] {
  const rows: Row[] = []
  for (const { 0: line, index } of text.slice(start, end).matchAll(/[^\r\n]+/gu))
    if (line.trim() !== '') rows.push(cutRow(line, start + index))
  return rows
}

/** At bars; a bar within a cell has a backslash before it. */
function cutRow(line: string, start: number): Row {
  const trimmed = line.trimEnd()
  const cells: Cell[] = []
  let from = /^\s*\|?/u.exec(trimmed)?.[0].length ?? 0
  for (let at = from; at <= trimmed.length; at += 1) {
    const isBar = trimmed[at] === '|' && trimmed[at - 1] !== '\\'
    const isEnd = at === trimmed.length && from < trimmed.length
    if (!isBar && !isEnd) continue
    const raw = trimmed.slice(from, at)
    const left = start + from + (raw.length - raw.trimStart().length)
    const text = raw.trim()
    cells.push({ start: left, end: left + text.length, text: text.replaceAll('\\|', '|') })
    from = at + 1
  }
  return { start, end: start + trimmed.length, cells }
}
