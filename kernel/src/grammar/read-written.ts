/**
 * Reads what a model wrote under a grammar. Nothing is repaired: what is not whole, not strict JSON, or outside of the
 * schema is none of it, whoever promised that it could not be.
 */
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { parseJson } from '../canonical/parse-json.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Regex } from '../contract/pattern.ts'
import { err, ok, type Result } from '../result.ts'
import type { Grammar } from './grammar.ts'

/** What is proposed, as far as a model writes it. */
export type WrittenProposal = {
  /** One of the kinds of the grammar. */
  readonly policy_kind: string
  /** Inside of what the grammar leaves. */
  readonly params: JsonObject
}

/** Err: what is wrong with it, in words of ours. */
export function readWritten(
  { schema }: Pick<Grammar, 'schema'>,
  text: string,
  regex: Regex | undefined,
): Result<WrittenProposal, string> {
  const parsed = parseJson(text)
  if (!parsed.ok) return err(`it is no JSON: ${parsed.error.code}`)
  const problem = findMismatch(schema, parsed.value, '', regex)
  if (problem !== undefined) return err(problem)
  const proposal = isObject(parsed.value) ? parsed.value.proposal : undefined
  if (!isObject(proposal) || typeof proposal.policy_kind !== 'string' || !isObject(proposal.params))
    return err('it is no proposal')
  return ok({ policy_kind: proposal.policy_kind, params: proposal.params })
}

/** Where the value is outside of the schema; it knows what grammars say, and takes nothing else for fitting. */
function findMismatch(
  schema: JsonValue | undefined,
  value: JsonValue,
  at: string,
  regex: Regex | undefined,
): string | undefined {
  const outside = `\`${at === '' ? '/' : at}\` is outside of the grammar`
  if (!isObject(schema)) return outside
  if (Array.isArray(schema.enum)) return isListed(schema.enum, value) ? undefined : outside
  if (Array.isArray(schema.anyOf)) {
    const found = schema.anyOf.map((one: JsonValue) => findMismatch(one, value, at, regex))
    return found.includes(undefined) ? undefined : (found[0] ?? outside)
  }
  switch (schema.type) {
    case 'object':
      return isObject(value) ? findMemberMismatch(schema, value, at, regex) : outside
    case 'array': {
      if (!Array.isArray(value) || !isWithin(value.length, schema.minItems, schema.maxItems))
        return outside
      const items: readonly JsonValue[] = value
      return findFirst(items, (item, nth) =>
        findMismatch(schema.items, item, `${at}/${nth}`, regex),
      )
    }
    case 'string':
      return typeof value === 'string' && isText(schema, value, regex) ? undefined : outside
    case 'integer':
    case 'number': {
      const isOfType = schema.type === 'number' || Number.isSafeInteger(value)
      const isInside = typeof value === 'number' && isWithin(value, schema.minimum, schema.maximum)
      return isOfType && isInside ? undefined : outside
    }
    default:
      return outside
  }
}

function findMemberMismatch(
  { properties, required }: JsonObject,
  value: JsonObject,
  at: string,
  regex: Regex | undefined,
): string | undefined {
  if (!isObject(properties) || !Array.isArray(required)) return `\`${at}\` has no members`
  const missing = required.find((name: JsonValue) => !Object.hasOwn(value, String(name)))
  if (missing !== undefined) return `\`${at}/${String(missing)}\` is missing`
  return findFirst(Object.entries(value), ([name, member]) =>
    Object.hasOwn(properties, name)
      ? findMismatch(properties[name], member, `${at}/${name}`, regex)
      : `\`${at === '' ? '/' : at}\` has a member that the grammar does not have`,
  )
}

function findFirst<T>(
  list: readonly T[],
  find: (one: T, nth: number) => string | undefined,
): string | undefined {
  for (const [nth, one] of list.entries()) {
    const found = find(one, nth)
    if (found !== undefined) return found
  }
  return undefined
}

/** Patterns of schemas that are not of the whole text are held against it with the schema of the tool. */
function isText(
  { pattern, minLength, maxLength }: JsonObject,
  value: string,
  regex: Regex | undefined,
): boolean {
  if (!isWithin([...value].length, minLength, maxLength)) return false
  if (typeof pattern !== 'string' || !pattern.startsWith('^') || !pattern.endsWith('$')) return true
  return regex?.(pattern.slice(1, -1), value) === true
}

function isListed(values: readonly JsonValue[], value: JsonValue): boolean {
  const text = toCanonicalText(value)
  return values.some((one) => toCanonicalText(one) === text)
}

function isWithin(
  value: number,
  least: JsonValue | undefined,
  most: JsonValue | undefined,
): boolean {
  if (typeof least === 'number' && value < least) return false
  return typeof most !== 'number' || value <= most
}
