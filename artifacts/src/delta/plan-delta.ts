/**
 * Plans a delta: finds what it is about, cuts the splices, parses the text behind them, and refuses it unless exactly that has
 * changed which the delta says.
 */
import { err, ok, type Result } from 'rubicon-kernel'
import { dedent, detectLineBreak } from '../text/lines.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { isInside, type Span } from '../text/span.ts'
import { applySplices, invertSplices, type Splice, sortSplices } from '../text/splice.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText, ParseResult } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { type Delta, ROOT } from './delta.ts'
import { findCollateral, type Meant } from './find-collateral.ts'
import { placeMember, type Siblings } from './place-member.ts'
import type { DeltaProblem, PlanResult } from './plan.ts'

export type Parse = (text: string) => ParseResult

type Change = { readonly splices: readonly Splice[]; readonly meant: Meant }

const NOTHING_MEANT: Meant = { before: [], after: [] }

export function planDelta(parsed: ParsedText, delta: Delta, parse: Parse): PlanResult {
  switch (delta.op) {
    case 'addMember':
      return planAddMember(parsed, delta, parse)
    case 'remove': {
      const target = findSymbol(parsed, delta.target)
      if (!target.ok) return target
      return finish(
        parsed,
        { splices: cutSymbol(parsed, target.value), meant: NOTHING_MEANT },
        parse,
      )
    }
    case 'replaceBody':
      return planReplaceBody(parsed, delta, parse)
    default:
      return err({ code: 'TARGET_UNFIT', detail: `\`${delta.op}\` cannot be done here` })
  }
}

function planAddMember(
  parsed: ParsedText,
  { target, fragment, at }: Extract<Delta, { op: 'addMember' }>,
  parse: Parse,
): PlanResult {
  const siblings = findSiblings(parsed, target)
  if (!siblings.ok) return siblings
  const index = findAnchor(siblings.value, at?.after)
  if (index === null)
    return err({
      code: 'TARGET_MISSING',
      detail: `there is no \`${at?.after}\` to put it behind`,
      candidates: siblings.value.children.map(({ path }) => path),
    })
  const place = placeMember(parsed.text, siblings.value, index)
  const plain = dedent(fragment)
  const first = finish(parsed, { splices: place.build(plain), meant: NOTHING_MEANT }, parse)
  if (!first.ok) return first
  const indented = indentFragment(
    first.value.after,
    listPutSpans(first.value.splices),
    plain,
    place.indent,
    detectLineBreak(parsed.text),
  )
  const planned = finish(parsed, { splices: place.build(indented), meant: NOTHING_MEANT }, parse)
  return planned.ok ? checkAdded(parsed, planned, target) : planned
}

/** One member more in its container, whose name nobody has. */
function checkAdded(
  parsed: ParsedText,
  planned: Extract<PlanResult, { ok: true }>,
  target: string,
): PlanResult {
  const before = findSiblings(parsed, target)
  const after = findSiblings(planned.value.after, target)
  if (!before.ok || !after.ok)
    return err({ code: 'FRAGMENT_REACHES_OUT', detail: 'its container is gone' })
  const put = listPutSpans(planned.value.splices)
  const added = after.value.children.filter(({ own }) => put.some((span) => isInside(own, span)))
  if (added.length === 0)
    return err({ code: 'FRAGMENT_INVALID', detail: 'the fragment is no member of its target' })
  const names = new Set(before.value.children.map(({ kind, name }) => `${kind} ${name}`))
  const taken = added.find(({ kind, name }) => names.has(`${kind} ${name}`))
  if (taken !== undefined && !isRepeatable(taken))
    return err({ code: 'NAME_TAKEN', detail: `there is a ${taken.kind} \`${taken.name}\` already` })
  return planned
}

/** Imports and statements may be there more than once. */
function isRepeatable({ kind }: SymbolNode): boolean {
  return kind === 'statement' || kind === 'import' || kind === 'export' || kind === 'index'
}

function planReplaceBody(
  parsed: ParsedText,
  { target, fragment }: Extract<Delta, { op: 'replaceBody' }>,
  parse: Parse,
): PlanResult {
  const found = findSymbol(parsed, target)
  if (!found.ok) return found
  const { body, path } = found.value
  if (body === null) return err({ code: 'TARGET_UNFIT', detail: `\`${path}\` has no body` })
  const splices = [{ ...body, text: fragment.trim() }]
  return finish(parsed, { splices, meant: { before: [], after: [] } }, parse)
}

function findSiblings(parsed: ParsedText, target: string): Result<Siblings, DeltaProblem> {
  if (target === ROOT)
    return ok({ container: parsed.container, children: parsed.symbols, start: null })
  const found = findSymbol(parsed, target)
  if (!found.ok) return found
  const { container, children, own } = found.value
  if (container === null)
    return err({ code: 'TARGET_UNFIT', detail: `\`${target}\` has no members` })
  return ok({ container, children, start: own.start })
}

/** Null: it is not there. */
function findAnchor({ children }: Siblings, after: string | null | undefined): number | null {
  if (after === undefined) return children.length - 1
  if (after === null) return -1
  const index = children.findIndex(({ path }) => path === after)
  return index < 0 ? null : index
}

/** With its separator; the last of a list takes the separator before it along. */
function cutSymbol(
  { text, symbols, container }: ParsedText,
  target: SymbolNode,
): readonly Splice[] {
  const { siblings, separator } = findParent(symbols, container.separator, target)
  const index = siblings.indexOf(target)
  const before = siblings[index - 1]
  const isLast = index === siblings.length - 1
  const owned = text.slice(target.own.end, target.whole.end)
  const cut: Splice = { ...target.whole, text: '' }
  if (separator !== ',' || !isLast || before === undefined || owned.includes(',')) return [cut]
  const from = text.indexOf(',', before.own.end)
  return sortSplices([{ start: from, end: from + 1, text: '' }, cut])
}

function findParent(
  level: readonly SymbolNode[],
  separator: string,
  target: SymbolNode,
): { readonly siblings: readonly SymbolNode[]; readonly separator: string } {
  if (level.includes(target)) return { siblings: level, separator }
  const parent = level.find(({ own }) => isInside(target.own, own))
  return parent === undefined
    ? { siblings: [target], separator }
    : findParent(parent.children, parent.container?.separator ?? '', target)
}

/** Lines of a fragment are indented only where they begin in white space: never within a text, a template or a comment. */
function indentFragment(
  after: ParsedText,
  put: readonly Span[],
  fragment: string,
  indent: string,
  lineBreak: string,
): string {
  const span = put.at(-1)
  if (span === undefined) return fragment
  const start = after.text.indexOf(fragment, span.start)
  const spaces = after.tiles.filter(
    ({ kind, start: from, end }) => kind === 'space' && end > span.start && from < span.end,
  )
  let result = ''
  for (const [i, character] of [...fragment.split('')].entries()) {
    const at = start + i
    const isBreak = character === '\n' && spaces.some((tile) => tile.start <= at && at < tile.end)
    const isBlankLine = fragment[i + 1] === '\n'
    result += isBreak ? `${lineBreak}${isBlankLine ? '' : indent}` : character
  }
  return result
}

function finish(parsed: ParsedText, { splices, meant }: Change, parse: Parse): PlanResult {
  const sorted = sortSplices(splices)
  const text = applySplices(parsed.text, sorted)
  if (text === null) return err({ code: 'TARGET_UNFIT', detail: 'parts of the change overlap' })
  const after = parse(text)
  if (!after.ok)
    return err({ code: 'FRAGMENT_INVALID', detail: after.error.detail, at: after.error.at })
  const collateral = findCollateral(parsed, sorted, after.value, meant)
  if (collateral !== null) return err({ code: 'FRAGMENT_REACHES_OUT', ...collateral })
  return ok({ splices: sorted, after: after.value, inverse: invertSplices(parsed.text, sorted) })
}
