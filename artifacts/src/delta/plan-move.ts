/**
 * Takes a member from its place to another one, with its comments and its lines.
 *
 * M1 what it is stays: kind, name, tokens, comments. Only the indent and the separators around it are those of its new place.
 * M2 a member whose place is part of its meaning is not moved among its siblings unless somebody says where to.
 * M3 every name in it stands for what it stood for.
 */
import { assert, err, ok } from 'rubicon-kernel'
import type { Format, Reference } from '../formats/format.ts'
import { TextHistory } from '../text/history.ts'
import { detectLineBreak } from '../text/lines.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { isInside, type Span } from '../text/span.ts'
import { invertSplices, type Splice } from '../text/splice.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import { listHolders } from '../tree/list-lineage.ts'
import { listTokens } from '../tree/list-tokens.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { type Delta, ROOT } from './delta.ts'
import { finishPlan } from './finish-plan.ts'
import { readMovedText } from './moved-text.ts'
import { isNameTaken } from './name-taken.ts'
import { placeMember } from './place-member.ts'
import type { DeltaProblem, Plan, PlanResult } from './plan.ts'
import { planRemove } from './plan-remove.ts'
import { findAnchor, findSiblings } from './siblings.ts'

type Move = Extract<Delta, { op: 'move' }>

export function planMove(parsed: ParsedText, delta: Move, format: Format): PlanResult {
  const found = findSymbol(parsed, delta.target)
  if (!found.ok) return found
  const problem = checkMove(parsed, found.value, delta)
  if (problem !== null) return err(problem)
  if (isInPlace(parsed, found.value, delta)) return ok({ splices: [], after: parsed, inverse: [] })
  const taken = planRemove(parsed, { op: 'remove', target: delta.target }, format)
  if (!taken.ok) return taken
  const put = putMoved(parsed, found.value, taken.value.after, delta, format)
  if (!put.ok) return err(describeUnfit(put.error, found.value, delta.to))
  return checkMoved(parsed, found.value, joinPlans(parsed, taken.value, put.value), delta, format)
}

function checkMove(parsed: ParsedText, symbol: SymbolNode, { to, at }: Move): DeltaProblem | null {
  const { path, order, kind, name } = symbol
  const refuseMove = (detail: string): DeltaProblem => ({ code: 'TARGET_UNFIT', detail })
  if (to === path || to.startsWith(`${path}/`))
    return refuseMove(`\`${path}\` cannot be moved into itself`)
  if (at?.after === path) return refuseMove(`\`${path}\` cannot stand behind itself`)
  const siblings = findSiblings(parsed, to)
  if (!siblings.ok) return siblings.error
  const isWithin = (listHolders(parsed, symbol).at(-1)?.path ?? ROOT) === to
  if (isWithin && order === 'fixed' && at === undefined)
    return refuseMove(
      `the place of \`${path}\` is part of its meaning: say where it goes with \`at\``,
    )
  const isTaken = siblings.value.children.some((one) => one !== symbol && isNameTaken(symbol, one))
  return isTaken && !isWithin
    ? { code: 'NAME_TAKEN', detail: `there is a ${kind} \`${name}\` already` }
    : null
}

/** It stands where it would be put. */
function isInPlace(parsed: ParsedText, symbol: SymbolNode, { to, at }: Move): boolean {
  const siblings = findSiblings(parsed, to)
  const index = siblings.ok ? siblings.value.children.indexOf(symbol) : -1
  if (!siblings.ok || index < 0) return false
  const { children } = siblings.value
  if (at === undefined) return index === children.length - 1
  return at.after === (children[index - 1]?.path ?? null)
}

/** Into the text that it was taken out of. */
function putMoved(
  parsed: ParsedText,
  symbol: SymbolNode,
  without: ParsedText,
  { to, at }: Move,
  format: Format,
): PlanResult {
  const siblings = findSiblings(without, to)
  if (!siblings.ok) return siblings
  const index = findAnchor(siblings.value, at)
  if (!index.ok) return index
  const place = placeMember(without.text, siblings.value, index.value)
  const style = { indent: place.indent, lineBreak: detectLineBreak(parsed.text) }
  const { text, comment } = readMovedText(parsed, symbol, style, format.indentation)
  const splices = place
    .build(text)
    .map((splice) => addComment(splice, text, comment, siblings.value.container.separator))
  return finishPlan(without, splices, format, { around: to })
}

/** Behind the separator: what follows a comment on its line would be one. */
function addComment(splice: Splice, text: string, comment: string, separator: string): Splice {
  const at = splice.text.indexOf(text)
  if (comment === '' || at < 0) return splice
  const end = at + text.length
  const behind =
    separator !== '' && splice.text.startsWith(separator, end) ? end + separator.length : end
  const put = `${splice.text.slice(0, behind)} ${comment}${splice.text.slice(behind)}`
  return { ...splice, text: put }
}

function joinPlans(parsed: ParsedText, one: Plan, other: Plan): Plan {
  const history = new TextHistory(parsed.text)
  const isApplied = history.apply('take', one.splices) && history.apply('put', other.splices)
  assert(isApplied, 'a plan fits the text that it was made for')
  const splices = history.listSplices()
  return { splices, after: other.after, inverse: invertSplices(parsed.text, splices) }
}

function checkMoved(
  parsed: ParsedText,
  symbol: SymbolNode,
  plan: Plan,
  { to }: Move,
  format: Format,
): PlanResult {
  const { kind, name, own } = symbol
  const put = listPutSpans(plan.splices)
  const siblings = findSiblings(plan.after, to)
  const moved = siblings.ok
    ? siblings.value.children.find(
        (one) =>
          one.kind === kind &&
          (one.name === name || kind === 'item') &&
          put.some((span) => isInside(one.own, span)),
      )
    : undefined
  // Where the indent is syntax, a text of several lines has it in each of them.
  const listParts = (text: ParsedText, within: Span): readonly string[] =>
    listTokens(text, within).map((token) =>
      format.indentation === 'syntax' ? token.replaceAll(/^[ \t]+/gmu, '') : token,
    )
  if (moved === undefined || !isSameList(listParts(parsed, own), listParts(plan.after, moved.own)))
    return err({ code: 'TARGET_UNFIT', detail: describePlace(symbol, to) })
  const meant = (format.findReferences?.(parsed, own) ?? []).map(toMeaning)
  const means = (format.findReferences?.(plan.after, moved.own) ?? []).map(toMeaning)
  return isSameList(meant, means) ? ok(plan) : err(describeOther(meant, means))
}

/** Nobody wrote a fragment: what does not parse there does not fit there. */
function describeUnfit(problem: DeltaProblem, symbol: SymbolNode, to: string): DeltaProblem {
  if (!problem.code.startsWith('FRAGMENT_')) return problem
  return { code: 'TARGET_UNFIT', detail: `${describePlace(symbol, to)}: ${problem.detail}` }
}

function describePlace({ path }: SymbolNode, to: string): string {
  return `\`${path}\` does not fit into ${to === ROOT ? 'the artifact' : `\`${to}\``}`
}

function describeOther(meant: readonly string[], means: readonly string[]): DeltaProblem {
  const [name = ''] = (meant.find((one, i) => one !== means[i]) ?? means[meant.length] ?? '').split(
    ' ',
  )
  return { code: 'TARGET_UNFIT', detail: `\`${name}\` would stand for something else there` }
}

/** Ordinals count places, and places are what a move changes. */
function toMeaning({ name, to }: Reference): string {
  if (to.kind === 'symbol') return `${name} symbol ${to.path.replaceAll(/#\d+/gu, '')}`
  return to.kind === 'import' ? `${name} import ${to.from} ${to.name}` : `${name} free`
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, i) => text === other[i])
}
