/** Where a member goes, and what has to stand around it. */
import { detectIndentUnit, detectLineBreak, isLineStart, readIndentAt } from '../text/lines.ts'
import { sliceSpan } from '../text/span.ts'
import type { Splice } from '../text/splice.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { Siblings } from './siblings.ts'

export type MemberPlace = {
  /** What its lines behind the first begin with. */
  readonly indent: string
  /** The splices that put `fragment` there. */
  build(fragment: string): readonly Splice[]
}

/** Behind the sibling at `index`; -1: before all of them. */
export function placeMember(text: string, siblings: Siblings, index: number): MemberPlace {
  const { children } = siblings
  const before = children[index]
  const behind = children[index + 1]
  if (before !== undefined) return putBehind(text, siblings, before, index === children.length - 1)
  if (behind !== undefined) return putBefore(text, siblings, behind)
  return placeAlone(text, siblings)
}

function putBehind(
  text: string,
  { container, children, start }: Siblings,
  before: SymbolNode,
  isLast: boolean,
): MemberPlace {
  const { separator } = container
  // Statements of an artifact begin on lines of their own, also behind one that does not: a semicolon behind a function.
  const isStatement = start === null && separator === '' && !isOnOwnLines(text, before)
  const below = isStatement ? findLineBelow(text, before) : null
  const lineBreak = detectLineBreak(text)
  const indent = readIndentAt(text, before.own.start)
  const owned = text.slice(before.own.end, before.whole.end)
  // A line break ends what a semicolon may end.
  const isOptional = separator === ';' && isOnOwnLines(text, before)
  const isSeparated = separator === '' || hasSeparator(owned, separator)
  const needed: readonly Splice[] =
    isSeparated || isOptional ? [] : [insert(before.own.end, separator)]
  // A list whose last member has no separator keeps it so.
  const own = separator !== '' && (isSeparated || (!isLast && !isOptional)) ? separator : ''
  if (isByColumn(before, separator) && !isOnOwnLines(text, before)) {
    const column = toColumnIndent(text, before)
    return {
      indent: column,
      build: (fragment) => [insert(before.whole.end, `${lineBreak}${column}${fragment}`)],
    }
  }
  if (!isOnOwnLines(text, before) && below === null) {
    if (isLast) {
      // The white space before the closing bracket stays there.
      const at = before.whole.start + sliceSpan(text, before.whole).trimEnd().length
      return { indent, build: (fragment) => [...needed, insert(at, ` ${fragment}${own}`)] }
    }
    const gap = separator === '' ? ' ' : isSeparated && owned.endsWith(' ') ? '' : ' '
    const at = Math.max(before.whole.end, before.own.end)
    return {
      indent,
      build: (fragment) => [...needed, insert(at, `${gap}${fragment}${own} `)],
    }
  }
  const blank = hasBlankLines(text, children) ? lineBreak : ''
  // The last line of a text may have no break.
  const at = below ?? before.whole.end
  const isOpen = !text.slice(before.whole.start, at).endsWith('\n')
  return {
    indent,
    build: (fragment) => [
      ...needed,
      insert(
        at,
        isOpen
          ? `${lineBreak}${blank}${indent}${fragment}${own}`
          : `${blank}${indent}${fragment}${own}${lineBreak}`,
      ),
    ],
  }
}

function putBefore(
  text: string,
  { container, children }: Siblings,
  behind: SymbolNode,
): MemberPlace {
  const { separator } = container
  const lineBreak = detectLineBreak(text)
  const indent = readIndentAt(text, behind.own.start)
  if (isByColumn(behind, separator) && !isOnOwnLines(text, behind)) {
    const column = toColumnIndent(text, behind)
    return {
      indent: column,
      build: (fragment) => [insert(behind.own.start, `${fragment}${lineBreak}${column}`)],
    }
  }
  if (!isOnOwnLines(text, behind))
    return { indent, build: (fragment) => [insert(behind.whole.start, `${fragment}${separator} `)] }
  const blank = hasBlankLines(text, children) ? lineBreak : ''
  return {
    indent,
    build: (fragment) => [
      insert(behind.whole.start, `${indent}${fragment}${separator}${lineBreak}${blank}`),
    ],
  }
}

function placeAlone(text: string, { container: { inside }, start }: Siblings): MemberPlace {
  const lineBreak = detectLineBreak(text)
  if (start === null) {
    // Behind what an artifact without symbols has: a byte order mark, comments.
    const isOpen = inside.end > inside.start && !isLineStart(text, inside.end)
    const gap = isOpen ? lineBreak : ''
    return {
      indent: '',
      build: (fragment) => [insert(inside.end, `${gap}${fragment}${lineBreak}`)],
    }
  }
  const outer = /^[ \t]*/u.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1))?.[0] ?? ''
  const indent = `${outer}${detectIndentUnit(text)}`
  const within = text.slice(inside.start, inside.end)
  const closing = within.includes('\n') ? '' : `${lineBreak}${outer}`
  const at = within.trim() === '' ? inside.start : inside.start + within.trimEnd().length
  return {
    indent,
    build: (fragment) => [insert(at, `${lineBreak}${indent}${fragment}${closing}`)],
  }
}

/** Members that nothing separates but the column that they begin in: the first may stand behind the dash of an item. */
function isByColumn({ kind }: SymbolNode, separator: string): boolean {
  return separator === '' && (kind === 'key' || kind === 'item')
}

function toColumnIndent(text: string, { own }: SymbolNode): string {
  return ' '.repeat(own.start - (text.lastIndexOf('\n', own.start - 1) + 1))
}

function insert(at: number, text: string): Splice {
  return { start: at, end: at, text }
}

function hasSeparator(owned: string, separator: string): boolean {
  const [first = ''] = owned.trimStart()
  return first === separator || (separator === ';' && (first === ',' || first === ';'))
}

function isOnOwnLines(text: string, { whole }: SymbolNode): boolean {
  return (
    isLineStart(text, whole.start) && (whole.end === text.length || isLineStart(text, whole.end))
  )
}

/** Where the next line begins, or the text ends; null: something else stands on this one. */
function findLineBelow(text: string, { whole }: SymbolNode): number | null {
  const rest = /^[ \t]*(?:\r?\n|$)/u.exec(text.slice(whole.end))
  return rest === null ? null : whole.end + rest[0].length
}

/** The last two decide: what was written last shows how it is done now. */
function hasBlankLines(text: string, children: readonly SymbolNode[]): boolean {
  const [one, other] = children.slice(-2)
  if (one === undefined || other === undefined) return false
  const before = isLineStart(text, one.whole.end) ? '\n' : ''
  return /\n[ \t]*\r?\n/u.test(`${before}${text.slice(one.whole.end, other.whole.start)}`)
}
