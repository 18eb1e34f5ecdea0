/** Reads one limit of a contract. What it leaves out is filled in: nothing is implied later. */
import { compareDecimal, parseDecimal } from '../canonical/decimal.ts'
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { isReasonCode, REASONS } from '../reason.ts'
import { LEAST, type Limit, type OnBreach } from './contract.ts'
import { readSomeKinds } from './meant-kinds.ts'
import { patterns } from './read-list.ts'
import { createChoiceReader, readDecimal, readIdentifier, readPointer } from './read-scalar.ts'
import { describeValue, Fields, type Read } from './reader.ts'

type LimitKind = Limit['kind']
type Common = Pick<Limit, 'id' | 'applies_to' | 'on_breach' | 'reason_code'>

/** `domainCodes` are the codes that the same contract registers. */
export function limitReader(domainCodes: ReadonlySet<string>): Read<Limit> {
  return (value, place) => {
    const fields = new Fields(value, place)
    const kind = fields.readDefaulted('kind', limitKind, inferKind(value))
    const onBreach = fields.readDefaulted(
      'on_breach',
      createChoiceReader('reject', 'escalate'),
      'reject',
    )
    const common: Common = {
      id: fields.readRequired('id', readIdentifier),
      ...fields.readOptional('applies_to', readSomeKinds, (applies_to) => ({ applies_to })),
      on_breach: onBreach,
      reason_code: fields.readDefaulted(
        'reason_code',
        limitCode(domainCodes),
        getDefaultCode(kind, onBreach),
      ),
    }
    const limit = BOUNDS[kind](fields, common)
    fields.end()
    return limit
  }
}

/** Only codes of the stages where limits are checked: each code has one producer. */
export function isLimitCode(code: string): boolean {
  if (!isReasonCode(code)) return false
  const { producer } = REASONS[code]
  return producer === 'preconditions' || producer === 'policy'
}

const limitKind: Read<LimitKind> = createChoiceReader('range', 'set', 'state_match', 'ratio')

function inferKind(value: JsonValue | undefined): LimitKind {
  if (!isObject(value)) return 'range'
  if (Object.hasOwn(value, 'expected')) return 'state_match'
  if (Object.hasOwn(value, 'of')) return 'ratio'
  return Object.hasOwn(value, 'allowed') || Object.hasOwn(value, 'denied') ? 'set' : 'range'
}

function getDefaultCode(kind: LimitKind, onBreach: OnBreach): string {
  if (onBreach === 'escalate') return 'AUTHORITY_CEILING'
  return kind === 'state_match' ? 'STATE_MISMATCH' : 'LIMIT_EXCEEDED'
}

function limitCode(domainCodes: ReadonlySet<string>): Read<string> {
  return (value, place) => {
    const code = readIdentifier(value, place)
    if (code === '' || domainCodes.has(code) || isLimitCode(code)) return code
    const problem = isReasonCode(code) ? 'is not a code of a limit' : 'is not a registered code'
    place.refuse(`${describeValue(code)} ${problem}`)
    return code
  }
}

const BOUNDS: Readonly<Record<LimitKind, (fields: Fields, common: Common) => Limit>> = {
  range: (fields, common) => ({
    ...common,
    kind: 'range',
    ...readSubject(fields),
    ...readRange(fields),
  }),
  set: (fields, common) => ({ ...common, kind: 'set', ...readSubject(fields), ...readSet(fields) }),
  state_match: (fields, common) => ({
    ...common,
    kind: 'state_match',
    field: fields.readRequired('field', readIdentifier),
    expected: fields.readRequired('expected', readAnyValue),
  }),
  ratio: (fields, common) => ({
    ...common,
    kind: 'ratio',
    measure: fields.readRequired('measure', readIdentifier),
    of: fields.readRequired('of', readIdentifier),
    max: fields.readRequired('max', readDecimal),
  }),
}

/** What is bounded: a measure that the capability computes, or a parameter. Exactly one. */
function readSubject(fields: Fields): { readonly measure?: string; readonly field?: string } {
  const both = fields.has('measure') && fields.has('field')
  const neither = !fields.has('measure') && !fields.has('field')
  if (both) fields.refuse('has both `measure` and `field`')
  if (neither) fields.refuse('has neither `measure` nor `field`')
  return {
    ...fields.readOptional('measure', readIdentifier, (measure) => ({ measure })),
    ...fields.readOptional('field', readPointer, (field) => ({ field })),
  }
}

/**
 * What has a maximum is an amount, and amounts are not negative: without a stated `min` an order of
 * minus a million would be below every maximum.
 */
function readRange(fields: Fields): { readonly min?: string; readonly max?: string } {
  if (!fields.has('min') && !fields.has('max')) fields.refuse('has neither `min` nor `max`')
  const range = {
    ...(fields.has('max') && !fields.has('min') ? { min: LEAST } : {}),
    ...fields.readOptional('min', readDecimal, (min) => ({ min })),
    ...fields.readOptional('max', readDecimal, (max) => ({ max })),
  }
  const min = parseDecimal(range.min ?? '')
  const max = parseDecimal(range.max ?? '')
  if (min !== undefined && max !== undefined && compareDecimal(min, max) > 0) {
    const why = fields.has('min') ? '' : ' (without a `min` a range starts at 0)'
    fields.refuse(
      `\`min\` is above \`max\`: nothing lies between ${range.min} and ${range.max}${why}`,
    )
  }
  return range
}

function readSet(fields: Fields): {
  readonly allowed?: readonly string[]
  readonly denied?: readonly string[]
} {
  if (!fields.has('allowed') && !fields.has('denied')) {
    fields.refuse('has neither `allowed` nor `denied`')
  }
  const set = {
    ...fields.readOptional('allowed', patterns, (allowed) => ({ allowed })),
    ...fields.readOptional('denied', patterns, (denied) => ({ denied })),
  }
  if (set.denied?.length === 0 && set.allowed === undefined) fields.refuse('denies nothing')
  return set
}

const readAnyValue: Read<JsonValue> = (value, place) => {
  if (value === undefined) place.refuseValue(value, 'a value')
  return value ?? null
}
