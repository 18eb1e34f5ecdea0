/**
 * Sets a value, or takes a key away, in the style of the file.
 *
 * V1 the value of the artifact behind the change is the value before it with this one member changed: an anchor that others name, or a
 *    merge that brings a key back, is refused.
 * V2 what a container keeps stays as it is written, with its comments: only the members that differ are touched.
 */
import { checkJson, err, type JsonValue, ok, type Result } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import type { ValueNotation } from '../formats/value-notation.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { formatPath, type PathSegment, parsePath } from '../path/symbol-path.ts'
import { isInside, type Span } from '../text/span.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { type Delta, ROOT } from './delta.ts'
import { finishPlan } from './finish-plan.ts'
import { joinPlans } from './join-plans.ts'
import type { DeltaProblem, Plan, PlanResult } from './plan.ts'
import { planAddMember } from './plan-add-member.ts'
import { planRemove } from './plan-remove.ts'
import { findSiblings } from './siblings.ts'
import {
  hasCommonMember,
  isSameValue,
  listMemberChanges,
  putValueAt,
  readValueAt,
} from './value-change.ts'

type Job = {
  readonly format: Format
  readonly notation: ValueNotation
  readonly target: string
  readonly path: readonly PathSegment[]
}

/** Characters that are parsed again for the members of one value: beyond, it is written anew as a whole. */
const MOST_PARSED = 32_000_000

export function planSetValue(
  parsed: ParsedText,
  { target, value }: Extract<Delta, { op: 'setValue' }>,
  format: Format,
): PlanResult {
  const checked = checkJson(value)
  if (!checked.ok) return err({ code: 'FRAGMENT_INVALID', detail: checked.error.detail })
  return planValue(parsed, target, checked.value, format)
}

export function planRemoveKey(
  parsed: ParsedText,
  { op, target }: Extract<Delta, { op: 'removeKey' | 'remove' }>,
  format: Format,
): PlanResult {
  const path = parsePath(target)
  if (op === 'removeKey' && path.ok && path.value.at(-1)?.kind !== 'key')
    return err({ code: 'TARGET_UNFIT', detail: `\`${target}\` is no key` })
  return planValue(parsed, target, undefined, format)
}

/** `undefined` takes the member away. */
function planValue(
  parsed: ParsedText,
  target: string,
  value: JsonValue | undefined,
  format: Format,
): PlanResult {
  const { values: notation } = format
  if (notation === undefined)
    return err({ code: 'TARGET_UNFIT', detail: `a text of ${format.media} has no values` })
  const path = parsePath(target)
  if (!path.ok) return err({ code: 'PATH_INVALID', ...path.error })
  const job = { format, notation, target, path: path.value }
  const before = notation.read(parsed)
  if (!before.ok)
    return err({ code: 'TARGET_UNFIT', detail: before.error.detail, at: before.error.at })
  const plan = planChange(parsed, before.value, value, job)
  if (!plan.ok) return plan
  const after = notation.read(plan.value.after)
  const due = putValueAt(before.value, job.path, value)
  if (after.ok && due !== undefined && isSameValue(after.value, due)) return plan
  return err({
    code: 'TARGET_UNFIT',
    detail: `\`${target}\` is named or merged elsewhere, so that more than this value would change`,
  })
}

function planChange(
  parsed: ParsedText,
  before: JsonValue,
  value: JsonValue | undefined,
  job: Job,
): PlanResult {
  const found = findSymbol(parsed, job.target)
  if (!found.ok && (found.error.code !== 'TARGET_MISSING' || value === undefined)) return found
  if (!found.ok) return planCreate(parsed, before, value ?? null, job)
  if (value === undefined) return planTakeAway(parsed, found.value, job)
  const old = readValueAt(before, job.path)
  if (old !== undefined && isSameValue(old, value))
    return ok({ splices: [], after: parsed, inverse: [] })
  const { container, own } = found.value
  const isKept = hasCommonMember(old ?? null, value) || hasComment(parsed, own)
  const planned = container !== null && isKept ? planMembers(parsed, old ?? null, value, job) : null
  return planned ?? planReplace(parsed, found.value, value, job)
}

/** A key that is not there is put into an object that is. */
function planCreate(parsed: ParsedText, before: JsonValue, value: JsonValue, job: Job): PlanResult {
  const { notation, path, format } = job
  const holderPath = path.slice(0, -1)
  const last = path.at(-1)
  const parent = findHolder(parsed, holderPath)
  if (!parent.ok) return parent
  const holder = readValueAt(before, holderPath)
  const isList = Array.isArray(holder)
  const isNext = isList && last?.kind === 'item' && Number(last.name) === holder.length
  const isKey = !isList && last?.kind === 'key'
  if (last === undefined || last.ordinal !== null || (!isKey && !isNext))
    return err({ code: 'TARGET_MISSING', detail: `there is no \`${job.target}\`` })
  const target = parent.value?.path ?? ROOT
  const isFlow = notation.isFlow(parsed, parent.value)
  const place = { parsed, target: null, isFlow }
  const siblings = findSiblings(parsed, target)
  if (!siblings.ok) return siblings
  const { container, children } = siblings.value
  const write = (flow: boolean): string =>
    notation.write({ ...place, isFlow: flow }, isKey ? last.name : null, value)
  const isOneLine = notation.opensInLine || !parsed.text.trim().includes('\n')
  if (children.length > 0 || !isOneLine) {
    const fragment = write(children.length > 0 && isFlow)
    return planAddMember(parsed, { op: 'addMember', target, fragment }, format)
  }
  if (parsed.text.slice(container.inside.start, container.inside.end).trim() !== '')
    return err({ code: 'TARGET_UNFIT', detail: `\`${target}\` holds comments alone` })
  return finishPlan(parsed, [{ ...container.inside, text: write(true) }], format, {
    around: target === ROOT ? null : target,
  })
}

function findHolder(
  parsed: ParsedText,
  path: readonly PathSegment[],
): Result<SymbolNode | null, DeltaProblem> {
  if (path.length === 0) return ok(null)
  const found = findSymbol(parsed, formatPath(path))
  if (!found.ok) return found
  if (found.value.container !== null) return found
  return err({ code: 'TARGET_UNFIT', detail: `\`${found.value.path}\` has no members` })
}

/** V2. Null: the two are not of one shape, or one of them is empty, or it would be too much work. */
function planMembers(
  parsed: ParsedText,
  old: JsonValue,
  value: JsonValue,
  job: Job,
): PlanResult | null {
  const changes = listMemberChanges(old, value)
  const kept = changes === null ? 0 : Object.keys(old ?? {}).length
  if (changes === null || kept === 0 || Object.keys(value ?? {}).length === 0) return null
  const cost = changes.length * parsed.text.length
  if (changes.length > ARTIFACT_LIMITS.deltas || cost > MOST_PARSED) return null
  const plans: Plan[] = []
  let now = parsed
  for (const { kind, name, value: put } of changes) {
    const target = formatPath([...job.path, { kind, name, ordinal: null }])
    const plan = planValue(now, target, put, job.format)
    if (!plan.ok) return plan
    plans.push(plan.value)
    now = plan.value.after
  }
  return ok(joinPlans(parsed, plans))
}

function planReplace(
  parsed: ParsedText,
  target: SymbolNode,
  value: JsonValue,
  { notation, format }: Job,
  gone: Span | null = null,
): PlanResult {
  const holder = findParent(parsed, target)
  const isFlow = notation.isFlow(parsed, holder)
  const splices = notation.replace({ parsed, target, isFlow }, value)
  if (splices === null)
    return err({
      code: 'TARGET_UNFIT',
      detail: `an anchor or a tag stands before the value of \`${target.path}\``,
      at: target.own,
    })
  const lost = findLostComment(parsed, splices, gone)
  if (lost !== undefined)
    return err({ code: 'TARGET_UNFIT', detail: 'a comment would be lost', at: lost })
  return finishPlan(parsed, splices, format, { around: target.path })
}

function hasComment({ tiles }: ParsedText, span: Span): boolean {
  return tiles.some((tile) => tile.kind === 'comment' && isInside(tile, span))
}

/** Comments stay, but those of a member that is to go. */
function findLostComment(
  { tiles }: ParsedText,
  splices: Plan['splices'],
  gone: Span | null,
): Span | undefined {
  return tiles.find(
    (tile) =>
      tile.kind === 'comment' &&
      !(gone !== null && isInside(tile, gone)) &&
      splices.some((splice) => isInside(tile, splice)),
  )
}

/** The last member of a block takes the block with it: what is left has to say that it is empty. */
function planTakeAway(parsed: ParsedText, target: SymbolNode, job: Job): PlanResult {
  const { notation, format } = job
  const holder = findParent(parsed, target)
  const { children } = holder ?? { children: parsed.symbols }
  const isBlock = notation.opensInLine && !notation.isFlow(parsed, holder)
  if (children.length > 1 || !isBlock)
    return planRemove(parsed, { op: 'remove', target: target.path }, format)
  const empty: JsonValue = target.kind === 'item' ? [] : {}
  if (holder !== null) return planReplace(parsed, holder, empty, job, target.whole)
  const text = target.kind === 'item' ? '[]' : '{}'
  return finishPlan(parsed, [{ ...target.own, text }], format, { around: null })
}

function findParent(parsed: ParsedText, target: SymbolNode): SymbolNode | null {
  const at = target.path.lastIndexOf('/')
  const found = at < 0 ? null : findSymbol(parsed, target.path.slice(0, at))
  return found?.ok === true ? found.value : null
}
