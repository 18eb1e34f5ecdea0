/**
 * Checks a decision against the limits of its contract. All that fail are reported.
 *
 * A value that is missing or unreadable refuses, whatever the limit says about breaches: nobody can
 * approve an amount that nobody knows.
 */
import { assertUnreachable } from '../assert.ts'
import {
  compareDecimal,
  type Decimal,
  formatDecimal,
  isNegative,
  multiplyDecimal,
  parseDecimal,
  toDecimal,
} from '../canonical/decimal.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Refusal } from '../compile/verdict.ts'
import { resolvePointer } from '../proposal/pointer.ts'
import { isReasonCode } from '../reason.ts'
import { isApplicable } from './applies.ts'
import { type Contract, LEAST, type Limit } from './contract.ts'
import { getOwn } from './own.ts'
import type { Regex } from './pattern.ts'
import { type BoundedMatch, createBoundedMatch } from './pattern-budget.ts'
import { type Answers, isMeasured } from './unanswered.ts'

export type LimitInput = {
  readonly contract: Contract
  readonly policyKind: string
  readonly params: JsonObject
  readonly measures: Readonly<Record<string, JsonValue | undefined>>
  readonly state: (path: string) => JsonValue | undefined
  readonly regex?: Regex
  /** What the capability says of itself; without it every limit is expected to be answered. */
  readonly answers?: Pick<Answers, 'measures' | 'touches'>
}

export type LimitBreach = {
  readonly limit: Limit
  readonly refusal: Refusal
  /** The contract lets a person lift it. */
  readonly escalate: boolean
}

/** Null: it holds. */
type Finding =
  | null
  | { readonly kind: 'breached'; readonly details: JsonObject }
  | { readonly kind: 'unavailable'; readonly details: JsonObject }

type LimitOf<K extends Limit['kind']> = Extract<Limit, { readonly kind: K }>

type Matched = LimitInput & { readonly matches: BoundedMatch }

export function checkLimits(given: LimitInput): readonly LimitBreach[] {
  const input: Matched = { ...given, matches: createBoundedMatch(given.regex) }
  const breaches: LimitBreach[] = []
  for (const limit of input.contract.permissions.limits) {
    if (!isApplicable(limit.applies_to, input.policyKind) || !isAnswered(limit, input)) continue
    const finding = check(limit, input)
    if (finding === null) continue
    const breached = finding.kind === 'breached'
    const details = { limit: limit.id, ...finding.details }
    breaches.push({
      limit,
      refusal: breached
        ? { ...deriveReasonCode(limit, input.contract), details }
        : { code: 'MEASURE_UNAVAILABLE', details },
      escalate: breached && limit.on_breach === 'escalate',
    })
  }
  return breaches
}

/**
 * What nobody answers was refused as such (`unanswered.ts`), and what touches nothing has no amounts:
 * neither is a value that is missing.
 */
function isAnswered(limit: Limit, { answers, params }: LimitInput): boolean {
  if (answers === undefined) return true
  if (!isMeasured(limit, answers.measures)) return false
  const field = limit.kind === 'range' || limit.kind === 'set' ? limit.field : undefined
  if (answers.touches !== 'none' || field === undefined) return true
  return resolvePointer(params, field).some(({ kind }) => kind !== 'absent')
}

function check(limit: Limit, input: Matched): Finding {
  switch (limit.kind) {
    case 'range':
      return checkEach(limit, input, checkRange)
    case 'set':
      return checkEach(limit, input, checkSet)
    case 'state_match':
      return checkState(limit, input)
    case 'ratio':
      return checkRatio(limit, input)
    default:
      return assertUnreachable(limit)
  }
}

/** What a limit is about: a measure, or each parameter that its field leads to. */
type Subject = { readonly name: string; readonly value: JsonValue | undefined }

/** What nobody knows comes before what is too much: it cannot be lifted. */
function checkEach<L extends LimitOf<'range' | 'set'>>(
  limit: L,
  input: Matched,
  checkOne: (limit: L, subject: Subject, input: Matched) => Finding,
): Finding {
  const findings = listSubjects(limit, input).map((subject) => checkOne(limit, subject, input))
  const unknown = findings.find((finding) => finding?.kind === 'unavailable')
  return unknown ?? findings.find((finding) => finding !== null) ?? null
}

/** Both bounds are inside: an order of exactly the maximum passes. */
function checkRange(limit: LimitOf<'range'>, { name, value }: Subject): Finding {
  const given = toOptionalDecimal(value)
  // The parser states it; contracts that were written otherwise mean the same.
  const stated = limit.min ?? LEAST
  const min = parseDecimal(stated)
  const max = limit.max === undefined ? null : parseDecimal(limit.max)
  if (given === undefined || min === undefined || max === undefined)
    return buildUnavailable(name, value)
  const below = compareDecimal(given, min) < 0
  const above = max !== null && compareDecimal(given, max) > 0
  if (!below && !above) return null
  const { max: most } = limit
  return buildBreach(name, formatDecimal(given), {
    min: stated,
    ...(most === undefined ? {} : { max: most }),
  })
}

function checkSet(limit: LimitOf<'set'>, { name, value }: Subject, { matches }: Matched): Finding {
  const texts = toTexts(value)
  if (texts === undefined || value === undefined) return buildUnavailable(name, value)
  const outside: string[] = []
  for (const text of texts) {
    const allowed = limit.allowed === undefined || isAmong(limit.allowed, text, matches)
    const denied = limit.denied !== undefined && isAmong(limit.denied, text, matches)
    if (allowed === undefined || denied === undefined) return buildUnavailable(name, value)
    if (!allowed || denied) outside.push(text)
  }
  return outside.length === 0 ? null : buildBreach(name, value, { outside })
}

function checkState(limit: LimitOf<'state_match'>, input: LimitInput): Finding {
  const value = input.state(limit.field)
  if (value === undefined) return buildUnavailable(limit.field, value)
  return isExpected(value, limit.expected)
    ? null
    : buildBreach(limit.field, value, { expected: limit.expected })
}

/** 0 ≤ measure / of ≤ max, multiplied out: a division would have to round. */
function checkRatio(limit: LimitOf<'ratio'>, { measures }: LimitInput): Finding {
  const part = toOptionalDecimal(getOwn(measures, limit.measure))
  const whole = toOptionalDecimal(getOwn(measures, limit.of))
  const max = parseDecimal(limit.max)
  if (part === undefined || max === undefined) {
    return buildUnavailable(limit.measure, getOwn(measures, limit.measure))
  }
  if (whole === undefined || whole.digits <= 0n) {
    return buildUnavailable(limit.of, getOwn(measures, limit.of))
  }
  if (!isNegative(part) && compareDecimal(part, multiplyDecimal(max, whole)) <= 0) return null
  const of = formatDecimal(whole)
  return buildBreach(limit.measure, formatDecimal(part), {
    of: limit.of,
    of_value: of,
    max: limit.max,
  })
}

/** There is always one: a field that leads nowhere, as into an empty list, is a missing value. */
function listSubjects(
  limit: LimitOf<'range' | 'set'>,
  { measures, params }: LimitInput,
): readonly Subject[] {
  if (limit.measure !== undefined)
    return [{ name: limit.measure, value: getOwn(measures, limit.measure) }]
  const name = limit.field ?? ''
  const places = resolvePointer(params, name)
  if (places.length === 0) return [{ name, value: undefined }]
  return places.map((place) => {
    return { name: place.pointer, value: place.kind === 'found' ? place.value : undefined }
  })
}

function toOptionalDecimal(value: JsonValue | undefined): Decimal | undefined {
  return value === undefined ? undefined : toDecimal(value)
}

/** A list is inside when each of its values is; an empty one says nothing and is not a value. */
function toTexts(value: JsonValue | undefined): readonly string[] | undefined {
  const values: readonly (JsonValue | undefined)[] = Array.isArray(value) ? value : [value]
  const texts: string[] = []
  for (const one of values) {
    if (typeof one === 'string') texts.push(one)
    else if (typeof one === 'number' || typeof one === 'boolean') texts.push(String(one))
    else return undefined
  }
  return texts.length === 0 ? undefined : texts
}

/** Undefined: none matches, and of some it could not be found out. */
function isAmong(
  patterns: readonly string[],
  text: string,
  matches: BoundedMatch,
): boolean | undefined {
  let isKnown = true
  for (const pattern of patterns) {
    const found = matches(pattern, text)
    if (found === true) return true
    if (found === undefined) isKnown = false
  }
  return isKnown ? false : undefined
}

/** A number is expected by value (`100` is `"100.00"`), everything else exactly as written. */
function isExpected(value: JsonValue, expected: JsonValue): boolean {
  const given = toDecimal(value)
  const wanted = typeof expected === 'number' ? toDecimal(expected) : undefined
  if (given !== undefined && wanted !== undefined) return compareDecimal(given, wanted) === 0
  return toCanonicalText(value) === toCanonicalText(expected)
}

function deriveReasonCode(limit: Limit, contract: Contract): Pick<Refusal, 'code' | 'domain_code'> {
  const { reason_code } = limit
  if (isReasonCode(reason_code)) return { code: reason_code }
  const kernel = getOwn(contract.reason_codes, reason_code)?.kernel ?? ''
  return { code: isReasonCode(kernel) ? kernel : 'LIMIT_EXCEEDED', domain_code: reason_code }
}

function buildBreach(name: string, value: JsonValue, bounds: JsonObject): Finding {
  return { kind: 'breached', details: { checked: name, value, ...bounds } }
}

function buildUnavailable(name: string, value: JsonValue | undefined): Finding {
  const details = value === undefined ? { checked: name } : { checked: name, value }
  return { kind: 'unavailable', details }
}
