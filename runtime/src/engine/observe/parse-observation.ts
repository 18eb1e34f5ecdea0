/** The boundary: what somebody sends becomes observations, or a failure that says which is wrong. */
import {
  checkJson,
  encodeUtf8,
  err,
  type Failure,
  isIdentifier,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  ok,
  parseInstant,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'

export type Parsed = {
  readonly path: string
  /** As it came. */
  readonly original: JsonValue
  readonly source: string | undefined
  readonly observedMs: number | undefined
  readonly untilMs: number | undefined
  /** What is signed, and the signature under it. */
  readonly signed: { readonly text: string; readonly sig: string } | undefined
}

const MEMBERS: readonly string[] = ['path', 'value', 'source', 'observed_at', 'until', 'signature']

export function parseObservations(input: unknown): Result<readonly Parsed[], Failure> {
  const read = parseObservationJson(input)
  if (!read.ok) return read
  const list: readonly JsonValue[] = Array.isArray(read.value) ? read.value : [read.value]
  if (list.length === 0 || list.length > LIMITS.observationsAtOnce)
    return err(
      buildObservationFailure(
        `${list.length} observations came, and 1 to ${LIMITS.observationsAtOnce} may`,
      ),
    )
  const parsed: Parsed[] = []
  for (const item of list) {
    const one = parseObservation(item)
    if (!one.ok) return one
    if (parsed.some(({ path }) => path === one.value.path))
      return err(buildObservationFailure(`\`${one.value.path}\` stands twice in one list`))
    parsed.push(one.value)
  }
  return ok(parsed)
}

function parseObservation(item: JsonValue): Result<Parsed, Failure> {
  if (!isObject(item)) return err(buildObservationFailure('an observation is an object'))
  const unknown = Object.keys(item).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined)
    return err(buildObservationFailure(`an observation has no member \`${unknown}\``))
  const { path, value: original, source } = item
  if (typeof path !== 'string' || !isIdentifier(path)) return err(buildPathFailure(path))
  if (original === undefined)
    return err(buildObservationFailure(`the observation of \`${path}\` has no value`))
  if (source !== undefined && (typeof source !== 'string' || !isIdentifier(source)))
    return err(buildSourceFailure(path))
  const observedMs = parseOptionalInstant(item.observed_at)
  const untilMs = parseOptionalInstant(item.until)
  if (observedMs === null || untilMs === null)
    return err(buildObservationFailure(`a time in the observation of \`${path}\` cannot be read`))
  const signed = parseSigned(item)
  if (signed === null)
    return err(buildObservationFailure(`the signature of \`${path}\` is no text`))
  if (encodeUtf8(toCanonicalText(original)).length > LIMITS.observationBytes)
    return err(buildTooLargeFailure(path))
  return ok({ path, original, source, observedMs, untilMs, signed })
}

/** Undefined: it was left out; null: it cannot be read. */
function parseOptionalInstant(value: JsonValue | undefined): number | undefined | null {
  if (value === undefined) return undefined
  return typeof value === 'string' ? (parseInstant(value) ?? null) : null
}

/** A source signs everything but the signature. */
function parseSigned({ signature, ...rest }: JsonObject): Parsed['signed'] | null {
  if (signature === undefined) return undefined
  return typeof signature === 'string' ? { text: toCanonicalText(rest), sig: signature } : null
}

export function parseObservationJson(input: unknown): Result<JsonValue, Failure> {
  const checked = checkJson(input)
  if (checked.ok) return checked
  const { code, path, detail } = checked.error
  return err({ code, summary: `an observation is not JSON at \`${path}\`: ${detail}` })
}

export function buildObservationFailure(summary: string): Failure {
  return {
    code: 'SCHEMA_INVALID',
    summary,
    fix: 'send `{path, value, source?, observed_at?, until?, signature?}`, or a list of them',
  }
}

function buildPathFailure(path: JsonValue | undefined): Failure {
  return {
    code: 'ID_CHARSET',
    summary: `\`${String(path)}\` is no path of State`,
    why: 'a path has 1 to 128 of A-Z a-z 0-9 . _ : @ -',
    fix: 'name the path like `market.price.ETH-USD`',
  }
}

function buildSourceFailure(path: string): Failure {
  return {
    code: 'OBSERVATION_SOURCE',
    summary: `what the observation of \`${path}\` names as its source is not a valid name`,
    why: 'every fact has a source that answers for it',
    fix: 'name a registered source, such as `exchange`, or leave it out',
  }
}

function buildTooLargeFailure(path: string): Failure {
  return {
    code: 'BODY_TOO_LARGE',
    summary: `the value of \`${path}\` has more than ${LIMITS.observationBytes} bytes`,
    fix: 'observe what decisions need, and keep the rest where it is',
  }
}
