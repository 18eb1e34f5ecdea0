/** The boundary: what somebody sends becomes observations, or a failure that says which is wrong. */
import {
  canonicalText,
  checkJson,
  err,
  type FactLabel,
  type Failure,
  isEscalationPath,
  isIdentifier,
  isObject,
  type JsonValue,
  LIMITS,
  ok,
  parseInstant,
  type Result,
  utf8,
} from 'rubicon-kernel'
import { cleanValue } from './clean.ts'
import { labelBy } from './label.ts'

export type Parsed = {
  readonly path: string
  readonly value: JsonValue
  /** As it came. */
  readonly original: JsonValue
  readonly source: string
  readonly label: FactLabel
  readonly flags: readonly string[]
  readonly observedMs: number | undefined
}

const MEMBERS: readonly string[] = ['path', 'value', 'source', 'label', 'observed_at']

export function parseObservations(
  input: unknown,
  by: FactLabel,
): Result<readonly Parsed[], Failure> {
  const read = jsonOf(input)
  if (!read.ok) return read
  const list: readonly JsonValue[] = Array.isArray(read.value) ? read.value : [read.value]
  if (list.length === 0 || list.length > LIMITS.observationsAtOnce)
    return err(
      invalid(`${list.length} observations came, and 1 to ${LIMITS.observationsAtOnce} may`),
    )
  const parsed: Parsed[] = []
  for (const item of list) {
    const one = parseObservation(item, by)
    if (!one.ok) return one
    if (parsed.some(({ path }) => path === one.value.path))
      return err(invalid(`\`${one.value.path}\` stands twice in one list`))
    parsed.push(one.value)
  }
  return ok(parsed)
}

function parseObservation(item: JsonValue, by: FactLabel): Result<Parsed, Failure> {
  if (!isObject(item)) return err(invalid('an observation is an object'))
  const unknown = Object.keys(item).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) return err(invalid(`an observation has no member \`${unknown}\``))
  const { path, value: original, source, observed_at } = item
  if (typeof path !== 'string' || !isIdentifier(path)) return err(noPath(path))
  if (isEscalationPath(path))
    return err(invalid(`\`${path}\` is what the runtime shows of a request, and nobody else`))
  if (original === undefined) return err(invalid(`the observation of \`${path}\` has no value`))
  if (typeof source !== 'string' || !isIdentifier(source)) return err(noSource(path))
  const label = labelBy(by, item.label)
  if (!label.ok) return label
  const observedMs = typeof observed_at === 'string' ? parseInstant(observed_at) : undefined
  if (observed_at !== undefined && observedMs === undefined)
    return err(invalid(`the time at which \`${path}\` was observed cannot be read`))
  const cleaned = cleanValue(original, label.value)
  // Without what nobody can see, a name may have become one that is not allowed.
  const value = jsonOf(cleaned.value)
  if (!value.ok) return value
  if (utf8(canonicalText(value.value)).length > LIMITS.observationBytes) return err(tooLarge(path))
  const { flags } = cleaned
  return ok({
    path,
    value: value.value,
    original,
    source,
    label: label.value,
    flags,
    observedMs,
  })
}

function jsonOf(input: unknown): Result<JsonValue, Failure> {
  const checked = checkJson(input)
  if (checked.ok) return checked
  const { code, path, detail } = checked.error
  return err({ code, summary: `an observation is not JSON at \`${path}\`: ${detail}` })
}

function invalid(summary: string): Failure {
  return {
    code: 'SCHEMA_INVALID',
    summary,
    fix: 'send `{path, value, source, label?, observed_at?}`, or a list of them',
  }
}

function noPath(path: JsonValue | undefined): Failure {
  return {
    code: 'ID_CHARSET',
    summary: `\`${String(path)}\` is no path of State`,
    why: 'a path has 1 to 128 of A-Z a-z 0-9 . _ : @ -',
    fix: 'name the path like `market.price.ETH-USD`',
  }
}

function noSource(path: string): Failure {
  return {
    code: 'OBSERVATION_SOURCE',
    summary: `the observation of \`${path}\` does not say where it comes from`,
    why: 'a fact that nobody stands for is a rumour',
    fix: 'name the source by an identifier, such as `exchange`',
  }
}

function tooLarge(path: string): Failure {
  return {
    code: 'BODY_TOO_LARGE',
    summary: `the value of \`${path}\` has more than ${LIMITS.observationBytes} bytes`,
    fix: 'observe what decisions need, and keep the rest where it is',
  }
}
