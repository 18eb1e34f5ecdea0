/**
 * Drift envelopes: how far a value may have moved between what the agent was shown and the moment
 * of dispatch.
 *
 * An envelope maps names to bounds: `price_pct` in percent, `price_bps` in basis points, `price_abs`
 * in the value's own unit, and `price: strict` for no movement at all. The contract's bounds of a
 * field take the place of the default of its kind; the proposal's are added. All must hold, so
 * whoever is stricter wins.
 */
import { formatDecimal, isNegative, parseDecimal, toDecimal } from '../canonical/decimal.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { getOwn } from '../contract/own.ts'

export type FieldKind = 'balance' | 'position' | 'telemetry'

/** A value whose movement matters: where it stands in State, and what it is. */
export type JitField = {
  /** Where it stands in State. */
  readonly path: string
  /** How much it may move. */
  readonly kind: FieldKind
}

export type Bound =
  | { readonly kind: 'strict' }
  /** `limit` is decimal text of at least 0. */
  | { readonly kind: 'percent'; readonly limit: string }
  | { readonly kind: 'absolute'; readonly limit: string }

const STRICT: Bound = { kind: 'strict' }

/** What holds for a field of which the contract says nothing. */
const DEFAULTS: Readonly<Record<FieldKind, Bound>> = {
  balance: STRICT,
  position: STRICT,
  telemetry: { kind: 'percent', limit: '0.1' },
}

/** What may follow the name of a field in an envelope. A number without a unit says nothing. */
const SUFFIXES = ['', '_pct', '_bps', '_abs'] as const
type Suffix = (typeof SUFFIXES)[number]

const READERS: Readonly<Record<Suffix, (value: JsonValue) => Bound | undefined>> = {
  '': () => undefined,
  _pct: (value) => parseDecimalBound('percent', value),
  _bps: parseBasisPoints,
  _abs: (value) => parseDecimalBound('absolute', value),
}

/** The members of `execution_constraints` that are envelopes. */
export const ENVELOPE_NAMES: readonly string[] = [
  'drift_envelope',
  'drift_envelope_bps',
  'max_slippage_bps',
]

/** The field that `max_slippage_bps` is about. */
const PRICE = 'price'

/** Bounds that must all hold; there is always one. */
export function listBounds(
  field: string,
  kind: FieldKind,
  contract: Readonly<Record<string, string>>,
  constraints: JsonObject,
): readonly Bound[] {
  const agreed = listEnvelopeBounds(field, contract)
  return [
    ...(agreed.length === 0 ? [DEFAULTS[kind]] : agreed),
    ...listAskedBounds(field, kind, constraints),
  ]
}

/**
 * Names in the proposal's own envelope that no field answers to, or whose value cannot be read: they
 * cannot be checked, and what cannot be checked does not hold.
 */
export function listUncheckable(
  fields: Readonly<Record<string, JitField>>,
  constraints: JsonObject,
): readonly string[] {
  const { drift_envelope, drift_envelope_bps, max_slippage_bps } = constraints
  const names: string[] = []
  if (isObject(drift_envelope)) {
    for (const [name, value] of Object.entries(drift_envelope)) {
      const answered = listNamedFields(name, value).some((field) => Object.hasOwn(fields, field))
      if (!answered) names.push(`drift_envelope.${name}`)
    }
  } else if (drift_envelope !== undefined) names.push('drift_envelope')

  const telemetry = Object.values(fields).some(({ kind }) => kind === 'telemetry')
  if (!isTolerance(drift_envelope_bps, telemetry)) names.push('drift_envelope_bps')
  if (!isTolerance(max_slippage_bps, Object.hasOwn(fields, PRICE))) names.push('max_slippage_bps')
  // Not in the order of the document: an agent must not choose what it is told.
  return names.sort()
}

/** The fields that an entry of an envelope can be about; none where its value cannot be read. */
export function listNamedFields(name: string, value: JsonValue): readonly string[] {
  return SUFFIXES.filter(
    (suffix) => name.endsWith(suffix) && parseBound(suffix, value) !== undefined,
  )
    .map((suffix) => name.slice(0, name.length - suffix.length))
    .filter((field) => field !== '')
}

/**
 * What an envelope says of a field. An entry that cannot be read is strict: whoever wrote it wanted
 * a bound, and falling back to the default could be looser than what was meant. The contract parser
 * refuses such entries, but the ledger keeps contracts that older parsers let in.
 */
function listEnvelopeBounds(field: string, envelope: JsonObject): readonly Bound[] {
  return SUFFIXES.flatMap((suffix) => {
    const value = getOwn(envelope, `${field}${suffix}`)
    return value === undefined ? [] : [parseBound(suffix, value) ?? STRICT]
  })
}

/** What the proposal adds for a field. */
function listAskedBounds(
  field: string,
  kind: FieldKind,
  constraints: JsonObject,
): readonly Bound[] {
  const { drift_envelope, drift_envelope_bps, max_slippage_bps } = constraints
  return [
    ...(isObject(drift_envelope) ? listEnvelopeBounds(field, drift_envelope) : []),
    ...(kind === 'telemetry' ? parseTolerance(drift_envelope_bps) : []),
    ...(field === PRICE ? parseTolerance(max_slippage_bps) : []),
  ]
}

function parseTolerance(bps: JsonValue | undefined): readonly Bound[] {
  return bps === undefined ? [] : [parseBasisPoints(bps) ?? STRICT]
}

/** Whether a tolerance in basis points, if one is stated, can be checked. */
function isTolerance(bps: JsonValue | undefined, answered: boolean): boolean {
  return bps === undefined || (answered && parseBasisPoints(bps) !== undefined)
}

/** `strict` may stand under any name of a field: it can only mean less. */
function parseBound(suffix: Suffix, value: JsonValue): Bound | undefined {
  return value === 'strict' ? STRICT : READERS[suffix](value)
}

/** A hundred of them are one percent. */
function parseBasisPoints(value: JsonValue): Bound | undefined {
  return parseDecimalBound('percent', value, 2)
}

/** The text is what is recorded and read again; `1e300` would not be readable as a decimal. */
function parseDecimalBound(
  kind: 'percent' | 'absolute',
  value: JsonValue,
  shift = 0,
): Bound | undefined {
  const given = toDecimal(value)
  if (given === undefined || isNegative(given)) return undefined
  const limit = formatDecimal({ digits: given.digits, scale: given.scale + shift })
  return parseDecimal(limit) === undefined ? undefined : { kind, limit }
}
