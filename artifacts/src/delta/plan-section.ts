/**
 * Puts a section into a document, or another text into the place of one.
 *
 * S1 every other section is afterwards what it was, in the section that it was in.
 */
import { err, type Result } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { detectLineBreak } from '../text/lines.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { isInside, type Span, sliceSpan } from '../text/span.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { type Delta, ROOT } from './delta.ts'
import { finishPlan } from './finish-plan.ts'
import { checkFragmentLength } from './fragment-length.ts'
import type { DeltaProblem, Plan, PlanResult } from './plan.ts'
import { findAnchor, findSiblings, type Siblings } from './siblings.ts'

/** `addMember` says the same of a document. */
export function planAddSection(
  parsed: ParsedText,
  { target, fragment, at }: Extract<Delta, { op: 'addSection' | 'addMember' }>,
  format: Format,
): PlanResult {
  const read = readFragment(parsed, fragment, format)
  if (!read.ok) return read
  const [first, ...more] = read.value.parsed.symbols
  if (first === undefined || !isSection(first) || more.length > 0)
    return err({
      code: 'FRAGMENT_INVALID',
      detail: 'a section is one heading with what is below it',
    })
  const siblings = findSiblings(parsed, target)
  if (!siblings.ok) return siblings
  const place = findPlace(siblings.value, at)
  if (!place.ok) return place
  const taken = siblings.value.children.find(
    ({ kind, name }) => kind === first.kind && name === first.name,
  )
  if (taken !== undefined)
    return err({ code: 'NAME_TAKEN', detail: `there is a ${first.kind} \`${first.name}\` already` })
  const splices = [insertBlock(parsed.text, place.value, read.value.text)]
  const around = target === ROOT ? null : target
  const plan = finishPlan(parsed, splices, format, { around })
  return plan.ok ? checkAdded(parsed, plan.value, target) : plan
}

/** The fragment is the section with its heading, which stays what it is called, or what comes below the heading. */
export function planReplaceSection(
  parsed: ParsedText,
  { target, fragment }: Extract<Delta, { op: 'replaceSection' }>,
  format: Format,
): PlanResult {
  const found = findSymbol(parsed, target)
  if (!found.ok) return found
  const read = readFragment(parsed, fragment, format)
  if (!read.ok) return read
  const { own, body, kind, name } = found.value
  const [first, ...more] = read.value.parsed.symbols
  if (!isSection(found.value)) return replaceText(parsed, found.value, read.value.text, format)
  const isWhole = first?.kind === kind && first.name === name && more.length === 0
  if (isWhole) return finishReplaced(parsed, [{ ...own, text: read.value.text }], format, target)
  const heading = sliceSpan(parsed.text, { start: own.start, end: body?.start ?? own.end })
  const lineBreak = detectLineBreak(parsed.text)
  const text = `${heading.trimEnd()}${lineBreak}${lineBreak}${read.value.text}`
  return finishReplaced(parsed, [{ ...own, text }], format, target)
}

/** What stands below a heading, a text before the first one, or the rows of examples. */
export function planReplaceText(
  parsed: ParsedText,
  { target, fragment }: Extract<Delta, { op: 'replaceBody' }>,
  format: Format,
): PlanResult {
  const found = findSymbol(parsed, target)
  if (!found.ok) return found
  if (isSection(found.value))
    return planReplaceSection(parsed, { op: 'replaceSection', target, fragment }, format)
  const tooLong = checkFragmentLength(fragment)
  if (tooLong !== null) return err(tooLong)
  return replaceText(parsed, found.value, toLines(parsed, fragment), format)
}

function replaceText(
  parsed: ParsedText,
  { body, path }: SymbolNode,
  text: string,
  format: Format,
): PlanResult {
  if (body === null) return err({ code: 'TARGET_UNFIT', detail: `\`${path}\` has no text` })
  return finishReplaced(parsed, [{ ...body, text }], format, path)
}

function finishReplaced(
  parsed: ParsedText,
  splices: Plan['splices'],
  format: Format,
  target: string,
): PlanResult {
  const meant = listBelow(parsed, target)
  const plan = finishPlan(parsed, splices, format, {
    around: target,
    before: meant,
    after: meant,
  })
  if (!plan.ok) return plan
  const [before, after] = [parsed, plan.value.after].map((one) => listOutside(one.symbols, target))
  return before?.join() === after?.join() && findSymbol(plan.value.after, target).ok
    ? plan
    : err(REACHES_OUT)
}

function checkAdded(before: ParsedText, plan: Plan, target: string): PlanResult {
  const put = listPutSpans(plan.splices)
  const now = findSiblings(plan.after, target)
  const added = now.ok
    ? now.value.children.filter(({ own }) => put.some((span) => isInside(own, span)))
    : []
  const [one, ...more] = added
  if (one === undefined || more.length > 0)
    return err({
      code: 'FRAGMENT_INVALID',
      detail: 'its heading has to be of the level below the section that it is put into',
    })
  const kept = listOutside(plan.after.symbols, one.path)
  return kept.join() === listOutside(before.symbols, null).join()
    ? { ok: true, value: plan }
    : err(REACHES_OUT)
}

const REACHES_OUT: DeltaProblem = {
  code: 'FRAGMENT_REACHES_OUT',
  detail: 'other sections would not be where they were',
}

/** Behind a sibling, or before the first section; a text before that stays first. */
function findPlace(
  siblings: Siblings,
  anchor: Extract<Delta, { op: 'addSection' }>['at'],
): Result<number, DeltaProblem> {
  const index = findAnchor(siblings, anchor)
  if (!index.ok) return index
  const { children, container } = siblings
  const isLeading = ({ kind }: SymbolNode): boolean => kind === 'text' || kind === 'examples'
  const least = children.filter(isLeading).length - 1
  const before = children[Math.max(index.value, least)]
  if (before !== undefined) return { ok: true, value: before.whole.end }
  const [first] = children
  if (first !== undefined) return { ok: true, value: first.whole.start }
  return { ok: true, value: container.inside.end }
}

/** With a blank line around it. */
function insertBlock(text: string, at: number, block: string): Span & { readonly text: string } {
  const lineBreak = detectLineBreak(text)
  const before = text.slice(0, at).replace(/^\uFEFF/u, '')
  const isEnd = text.slice(at).trim() === ''
  const isLast = isEnd && !/[\r\n]$/u.test(text) && before.trim() !== ''
  const head =
    before.trim() === '' || /[\r\n][ \t]*[\r\n]$/u.test(before.replaceAll('\r\n', '\n'))
      ? ''
      : /[\r\n]$/u.test(before)
        ? lineBreak
        : `${lineBreak}${lineBreak}`
  const tail = isEnd ? (isLast ? '' : lineBreak) : `${lineBreak}${lineBreak}`
  return { start: at, end: at, text: `${head}${block}${tail}` }
}

function readFragment(
  parsed: ParsedText,
  fragment: string,
  format: Format,
): Result<{ readonly text: string; readonly parsed: ParsedText }, DeltaProblem> {
  const tooLong = checkFragmentLength(fragment)
  if (tooLong !== null) return err(tooLong)
  const text = toLines(parsed, fragment)
  const read = format.parse(text)
  if (!read.ok)
    return err({ code: 'FRAGMENT_INVALID', detail: read.error.detail, at: read.error.at })
  return { ok: true, value: { text, parsed: read.value } }
}

/** Without blank lines around it, and with the line breaks of the document. */
function toLines({ text }: ParsedText, fragment: string): string {
  return fragment
    .replace(/^(?:[ \t]*(?:\r\n|\n|\r))+/u, '')
    .trimEnd()
    .replaceAll(/\r\n|\n|\r/gu, detectLineBreak(text))
}

function isSection({ kind }: SymbolNode): boolean {
  return kind === 'section' || kind === 'requirement'
}

/** Everything but a symbol and what is in it. A title that is there twice is counted, so the numbers are left out. */
function listOutside(symbols: readonly SymbolNode[], target: string | null): readonly string[] {
  return symbols.flatMap((symbol) =>
    symbol.path === target
      ? []
      : [symbol.path.replaceAll(/#[0-9]+/gu, ''), ...listOutside(symbol.children, target)],
  )
}

function listBelow(parsed: ParsedText, target: string): readonly string[] {
  const found = findSymbol(parsed, target)
  const list = (symbol: SymbolNode): readonly string[] => [
    symbol.path,
    ...symbol.children.flatMap(list),
  ]
  return found.ok ? list(found.value) : []
}
