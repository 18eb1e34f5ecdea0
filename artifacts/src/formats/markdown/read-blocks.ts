/** Reads Markdown (CommonMark with the tables and footnotes of GitHub, and front matter) into the blocks that a document is made of. */
import { parse, postprocess, preprocess } from 'micromark'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfmFootnote } from 'micromark-extension-gfm-footnote'
import { gfmTable } from 'micromark-extension-gfm-table'
import { ARTIFACT_LIMITS } from '../../limits.ts'
import { type Span, sliceSpan } from '../../text/span.ts'
import type { ParseProblem } from '../../tree/parsed.ts'

export type Block = Span &
  (
    | { readonly kind: 'heading'; readonly level: number; readonly title: Span }
    /** `content`: between its fences, without the line break before the closing one. */
    | { readonly kind: 'fence'; readonly info: string; readonly content: Span | null }
    | { readonly kind: 'comment' | 'front_matter' | 'other' }
  )

/** A part of a text that is no prose: what looks like a reference in it is none. */
export type Verbatim = Span

type Event = ReturnType<typeof postprocess>[number]
type Token = Event[1]

/** Blocks do not depend on them, and some take the square of the length of a paragraph. */
const WITHIN_LINES = [
  'attention',
  'characterReference',
  'gfmFootnoteCall',
  'gfmPotentialFootnoteCall',
  'hardBreakEscape',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
]
const VERBATIM_IN_LINES = ['autolink', 'characterEscape', 'codeText', 'htmlText']

const VERBATIM: ReadonlySet<string> = new Set([
  'autolink',
  'characterEscape',
  'codeFenced',
  'codeIndented',
  'codeText',
  'definition',
  'htmlFlow',
  'htmlText',
  'yaml',
])
const HEADING_MARKS: ReadonlySet<string> = new Set([
  'atxHeadingSequence',
  'setextHeadingLineSequence',
])
const HEADING_TEXTS: ReadonlySet<string> = new Set(['atxHeadingText', 'setextHeadingText'])
/** A sign of a list has white space behind it: a line of dashes opens nothing. */
const OPENED = new RegExp(
  `^(?:[ \\t]*(?:>|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \\t]))){${ARTIFACT_LIMITS.depth}}`,
  'mu',
)
const INDENTED = /^([ \t]*)((?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]))?[^\r\n]*/gmu
const BREAK = /\r\n|\n|\r/gu
const BETWEEN: ReadonlySet<string> = new Set(['lineEnding', 'lineEndingBlank', 'linePrefix'])

/** The blocks of the document itself, in its order: what stands in a list or in a quotation is part of that one. */
export function readBlocks(text: string): readonly Block[] {
  const tokens = listTopTokens(listEvents(text, VERBATIM_IN_LINES))
  return tokens
    .filter(({ token }) => !BETWEEN.has(token.type))
    .map(({ token, inner }) => drawBlock(text, token, inner))
}

export function listVerbatim(text: string): readonly Verbatim[] {
  return listEvents(text, [])
    .filter(([phase, { type }]) => phase === 'enter' && VERBATIM.has(type))
    .map(([, token]) => toSpan(text, token))
}

/** What would keep the parser busy for long. */
export function findCostly(text: string): ParseProblem | null {
  const { depth, markdownLines } = ARTIFACT_LIMITS
  let lines = 0
  for (const _ of text.matchAll(BREAK)) lines += 1
  if (lines > markdownLines) return { detail: `it has more than ${markdownLines} lines`, at: null }
  // The parser keeps each quotation and each list open over all lines that follow.
  const found = OPENED.exec(text)
  if (found === null) return findCostlyLists(text)
  const at = { start: found.index, end: found.index + found[0].length }
  return { detail: `it is nested deeper than ${depth} levels`, at }
}

/** Lists that are opened line by line, each further to the right than the one before. */
function findCostlyLists(text: string): ParseProblem | null {
  const { depth, markdownNested } = ARTIFACT_LIMITS
  const open: number[] = []
  let nested = 0
  for (const { 0: line, 1: indent = '', 2: sign, index } of text.matchAll(INDENTED)) {
    while (line.trim() !== '' && (open.at(-1) ?? -1) >= indent.length) open.pop()
    if (sign !== undefined) open.push(indent.length)
    nested += open.length
    if (open.length > depth || nested > markdownNested)
      return {
        detail: `its lists are nested deeper than ${depth} levels, or over too many lines`,
        at: { start: index, end: index + line.length },
      }
  }
  return null
}

function listEvents(text: string, without: readonly string[]): readonly Event[] {
  const disable = { null: [...WITHIN_LINES, ...without] }
  const extensions = [gfmTable(), gfmFootnote(), frontmatter('yaml'), { disable }]
  const chunks = preprocess()(text.slice(countMark(text)), undefined, true)
  return postprocess(parse({ extensions }).document().write(chunks))
}

/** What the parser calls content is definitions and a paragraph behind them. */
function listTopTokens(
  events: readonly Event[],
): readonly { readonly token: Token; readonly inner: readonly Token[] }[] {
  const found: { readonly token: Token; readonly inner: Token[] }[] = []
  let depth = 0
  for (const [phase, token] of events) {
    if (token.type === 'content' && depth === 0) continue
    if (phase === 'exit') {
      depth -= 1
      continue
    }
    if (depth === 0) found.push({ token, inner: [] })
    else found.at(-1)?.inner.push(token)
    depth += 1
  }
  return found
}

function drawBlock(text: string, token: Token, inner: readonly Token[]): Block {
  const span = toSpan(text, token)
  const type: string = token.type
  switch (type) {
    case 'atxHeading':
      return { ...span, kind: 'heading', ...drawHeading(text, token, inner) }
    case 'setextHeading': {
      const heading = drawHeading(text, token, inner)
      // To the parser it begins with the definitions before it, which are blocks of their own.
      return { kind: 'heading', ...heading, start: heading.title.start, end: span.end }
    }
    case 'codeFenced':
      return { ...span, kind: 'fence', ...drawFence(text, inner) }
    case 'htmlFlow':
      return { ...span, kind: isComment(sliceSpan(text, span)) ? 'comment' : 'other' }
    case 'yaml':
      return { ...span, kind: 'front_matter' }
    default:
      return { ...span, kind: 'other' }
  }
}

function drawHeading(
  text: string,
  token: Token,
  inner: readonly Token[],
): { readonly level: number; readonly title: Span } {
  const mark = toSpan(text, inner.find(({ type }) => HEADING_MARKS.has(type)) ?? token)
  const title = inner.find(({ type }) => HEADING_TEXTS.has(type))
  const level =
    token.type === 'atxHeading' ? mark.end - mark.start : text[mark.start] === '=' ? 1 : 2
  return {
    level,
    title: title === undefined ? { start: mark.end, end: mark.end } : toSpan(text, title),
  }
}

function drawFence(
  text: string,
  inner: readonly Token[],
): { readonly info: string; readonly content: Span | null } {
  const info = inner.find(({ type }) => type === 'codeFencedFenceInfo')
  const lines = inner.filter(({ type }) => type === 'codeFlowValue')
  const [first, last] = [lines[0], lines.at(-1)]
  return {
    info: info === undefined ? '' : sliceSpan(text, toSpan(text, info)),
    content:
      first === undefined || last === undefined
        ? null
        : { start: toSpan(text, first).start, end: toSpan(text, last).end },
  }
}

function isComment(html: string): boolean {
  const trimmed = html.trimEnd()
  return trimmed.startsWith('<!--') && trimmed.indexOf('-->') === trimmed.length - 3
}

/** The parser drops the mark that a text may begin with before it counts. */
function toSpan(text: string, { start, end }: Token): Span {
  const shift = countMark(text)
  return { start: start.offset + shift, end: end.offset + shift }
}

function countMark(text: string): 0 | 1 {
  return text.startsWith('\uFEFF') ? 1 : 0
}
