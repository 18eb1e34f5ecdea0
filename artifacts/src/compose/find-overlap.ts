/**
 * Whether two entries without an order write over the same text of the base. Claims say so by paths; what stands beside symbols, or
 * belongs to several of them, has none.
 */
import type { Splice } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { PlannedEntry } from './planned-entry.ts'

type Cut = Splice & { readonly key: string; readonly entry: number }

export function findOverlap(base: ParsedText, planned: readonly PlannedEntry[]): string | null {
  const cuts = planned
    .flatMap(({ entry, plan }, i): readonly Cut[] =>
      entry.order === undefined
        ? plan.splices.map((splice) => ({ ...splice, key: entry.key, entry: i }))
        : [],
    )
    .sort((a, b) => a.start - b.start || a.end - b.end)
  let open: readonly Cut[] = []
  for (const cut of cuts) {
    open = open.filter(({ end }) => end > cut.start)
    const other = open.find((one) => one.entry !== cut.entry && isOver(base, one, cut))
    if (other !== undefined)
      return `\`${[other.key, cut.key].sort().join('` and `')}\` write over the same text`
    open = [...open, cut]
  }
  return null
}

/** A separator and white space may go with either of two neighbours. */
function isOver(base: ParsedText, one: Cut, other: Cut): boolean {
  const { text } = base
  const end = Math.min(one.end, other.end)
  if (other.start < other.end)
    return isText(text.slice(other.start, end)) && !isSameImport(base, one, other)
  return isText(text.slice(one.start, other.start)) && isText(text.slice(other.start, one.end))
}

function isText(text: string): boolean {
  return /[^\s,;]/u.test(text)
}

/** Two who need an import as a value take the same word away. */
function isSameImport({ symbols }: ParsedText, one: Cut, other: Cut): boolean {
  const isSame = one.start === other.start && one.end === other.end && one.text === other.text
  return (
    isSame &&
    symbols.some(
      ({ kind, own }) => kind === 'import' && own.start <= one.start && one.end <= own.end,
    )
  )
}
