/**
 * The lines that an edit may touch, told from where symbols begin and end, and from nothing that the planner makes of it: neither the lines
 * that a symbol is said to own, nor splices.
 */
import type { ParsedText, Span, SymbolNode } from 'rubicon-artifacts'
import { LineIndex, type PermittedLines, splitLines } from './touched-lines.ts'

export class LinePermits {
  readonly #parsed: ParsedText
  readonly #index: LineIndex
  readonly #lines: readonly string[]
  /** Lines on which nothing but comments stands. */
  readonly #comments: ReadonlySet<number>

  constructor(parsed: ParsedText) {
    this.#parsed = parsed
    this.#index = new LineIndex(parsed.text)
    this.#lines = splitLines(parsed.text)
    this.#comments = listCommentLines(parsed, this.#index)
  }

  /** Behind the last member of a container: its line for a separator, that of the bracket where both are one. */
  findForAddition(holder: SymbolNode | null): PermittedLines {
    const { text, container: root, symbols } = this.#parsed
    const container = holder?.container ?? root
    const last = (holder?.children ?? symbols).at(-1)
    const close = this.#index.findLine(container.inside.end)
    const open = this.#index.findLine(last === undefined ? container.inside.start : last.own.end)
    const lines = new Set<number>()
    const behind = last === undefined ? '' : text.slice(last.own.end, container.inside.end)
    if (container.separator === ',' && !/^\s*,/u.test(behind)) lines.add(open)
    if (open === close || this.#isOpenEnd(container.inside)) lines.add(open)
    // A last line without a break gets one.
    if (this.#isOpenEnd(container.inside)) lines.add(this.#lines.length - 1)
    return { lines, from: open, to: close + 1 }
  }

  findForSpan(span: Span): PermittedLines {
    return this.#toPermitted(new Set(this.#index.listLines(span)))
  }

  /** Its lines, the comments right above them, and blank lines around; of the last in a list also that of the comma before it. */
  findForRemoval(symbol: SymbolNode, holder: SymbolNode | null): PermittedLines {
    const lines = new Set(this.#index.listLines(symbol.own))
    const first = Math.min(...lines)
    for (let line = first - 1; this.#comments.has(line); line -= 1) lines.add(line)
    const siblings = holder?.children ?? this.#parsed.symbols
    const before = siblings[siblings.indexOf(symbol) - 1]
    const isLast = siblings.at(-1) === symbol
    const isListed = (holder?.container ?? this.#parsed.container).separator === ','
    if ((isListed && isLast) || symbol.kind === 'variable')
      if (before !== undefined) lines.add(this.#index.findLine(before.own.end - 1))
    // A block that has lost its only member says that it is empty where its key is.
    if (siblings.length === 1 && holder !== null) lines.add(this.#index.findLine(holder.own.start))
    this.#addBlank(lines)
    return this.#toPermitted(lines)
  }

  /** Lines that have the name in them. */
  findForWord(name: string): PermittedLines {
    const lines = new Set<number>()
    for (const [i, line] of this.#lines.entries()) if (line.includes(name)) lines.add(i)
    return { lines, from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
  }

  #addBlank(lines: Set<number>): void {
    const [first, last] = [Math.min(...lines), Math.max(...lines)]
    for (let i = first - 1; i >= 0 && this.#lines[i]?.trim() === ''; i -= 1) lines.add(i)
    for (let i = last + 1; this.#lines[i]?.trim() === ''; i += 1) lines.add(i)
  }

  #toPermitted(lines: ReadonlySet<number>): PermittedLines {
    return { lines, from: Math.min(...lines), to: Math.max(...lines) + 1 }
  }

  #isOpenEnd({ end }: Span): boolean {
    const { text } = this.#parsed
    return text.slice(end).trim() === '' && !text.endsWith('\n')
  }
}

function listCommentLines({ text, tiles }: ParsedText, index: LineIndex): ReadonlySet<number> {
  const [comments, others] = [new Set<number>(), new Set<number>()]
  for (const tile of tiles) {
    if (tile.kind === 'space' || text.slice(tile.start, tile.end).trim() === '') continue
    for (const line of index.listLines(tile))
      (tile.kind === 'comment' ? comments : others).add(line)
  }
  return new Set([...comments].filter((line) => !others.has(line)))
}
