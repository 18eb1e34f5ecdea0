/**
 * The sections of a document. A heading opens one, and the next heading of its level or above closes it; what stands between a heading
 * and the first one below it is a text of its own, so that it can be changed without what follows.
 */
import { type Span, sliceSpan } from '../../text/span.ts'
import type { UnnamedSymbol } from '../../tree/name-symbols.ts'
import type { Block } from './read-blocks.ts'
import { EXAMPLES, parseRequirementTitle } from './requirement-title.ts'

type Heading = Extract<Block, { kind: 'heading' }>

type Source = { readonly text: string; readonly blocks: readonly Block[] }

const TITLE_LENGTH = 1_024
const NAME_LENGTH = 120

export function drawSections(text: string, blocks: readonly Block[]): readonly UnnamedSymbol[] {
  const source = { text, blocks: blocks.filter(({ kind }) => kind !== 'front_matter') }
  return drawRange(source, 0, source.blocks.length)
}

/** Of the blocks from `from` on, below one heading or below none. */
function drawRange(source: Source, from: number, to: number): readonly UnnamedSymbol[] {
  const first = findHeading(source, from, to)
  const found: UnnamedSymbol[] = first > from ? [drawText(source, from, first)] : []
  for (let at = first; at < to; ) {
    const heading = source.blocks[at]
    if (heading?.kind !== 'heading') break
    const end = findEnd(source, heading, at + 1, to)
    found.push(drawSection(source, heading, at, end))
    at = end
  }
  return found
}

function drawSection(source: Source, heading: Heading, at: number, end: number): UnnamedSymbol {
  const { text, blocks } = source
  const requirement = parseRequirementTitle(text, heading)
  const own = { start: heading.start, end: blocks[end - 1]?.end ?? heading.end }
  const whole = toWhole(source, own, end)
  return {
    kind: requirement === null ? 'section' : 'requirement',
    name: requirement?.id ?? nameTitle(sliceSpan(text, heading.title)),
    own,
    whole,
    nameSpan: requirement?.idSpan ?? heading.title,
    body: own.end > heading.end ? { start: heading.end, end: own.end } : null,
    container: { inside: { start: heading.end, end: whole.end }, separator: '' },
    order: 'fixed',
    children:
      requirement === null
        ? drawRange(source, at + 1, end)
        : [...drawExamples(source, at + 1, end), ...drawBelow(source, at + 1, end)],
  }
}

/** A requirement is read as one text, but for its examples and what has headings below it. */
function drawBelow(source: Source, from: number, to: number): readonly UnnamedSymbol[] {
  return drawRange(source, findHeading(source, from, to), to)
}

function drawExamples(source: Source, from: number, to: number): readonly UnnamedSymbol[] {
  const found: UnnamedSymbol[] = []
  for (let at = from; at < findHeading(source, from, to); at += 1) {
    const block = source.blocks[at]
    if (block?.kind !== 'fence' || block.info !== EXAMPLES) continue
    const own = { start: block.start, end: block.end }
    const whole = toWhole(source, own, at + 1)
    found.push({ ...PLAIN, kind: 'examples', name: 'table', own, whole, body: block.content })
  }
  return found
}

function drawText(source: Source, from: number, to: number): UnnamedSymbol {
  const own = { start: source.blocks[from]?.start ?? 0, end: source.blocks[to - 1]?.end ?? 0 }
  const whole = toWhole(source, own, to)
  return { ...PLAIN, kind: 'text', name: 'intro', own, whole, body: own }
}

const PLAIN = { nameSpan: null, container: null, order: 'fixed', children: [] } as const

/** Its lines, and the blank ones behind them: with it, they go up to the next block. */
function toWhole({ text, blocks }: Source, { start, end }: Span, next: number): Span {
  const behind = blocks[next]
  return {
    start: toLineStart(text, start),
    end: behind === undefined ? text.length : toLineStart(text, Math.max(end, behind.start)),
  }
}

function toLineStart(text: string, place: number): number {
  let at = place
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at -= 1
  return at
}

function findHeading({ blocks }: Source, from: number, to: number): number {
  let at = from
  while (at < to && blocks[at]?.kind !== 'heading') at += 1
  return at
}

function findEnd({ blocks }: Source, { level }: Heading, from: number, to: number): number {
  for (let at = from; at < to; at += 1) {
    const block = blocks[at]
    if (block?.kind === 'heading' && block.level <= level) return at
  }
  return to
}

/** As it reads, without what only shows it otherwise. */
function nameTitle(title: string): string {
  const plain = title
    .slice(0, TITLE_LENGTH)
    .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\))?/gu, '$1')
    .replaceAll(/[`*\\]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const short = [...plain].slice(0, NAME_LENGTH).join('')
  return short === '' ? 'untitled' : short
}
