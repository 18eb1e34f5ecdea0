/** What the responses of an operation say of its outcome. */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { SchemaConverter } from './convert-schema.ts'
import { findJsonSchema } from './json-schema-of.ts'
import type { Operation } from './list-operations.ts'
import { followReference } from './read-reference.ts'

export type Responses = {
  readonly applied: readonly number[]
  readonly notApplied: readonly number[]
  readonly result?: JsonValue
  readonly undecided: readonly string[]
}

/** A request that timed out at the server may have been carried out. */
const UNCERTAIN: readonly number[] = [408, 499]

export function readResponses(
  document: JsonObject,
  { said, method }: Operation,
  converter: SchemaConverter,
): Responses {
  const responses = isObject(said.responses) ? said.responses : {}
  const statuses = Object.keys(responses)
    .filter((status) => /^[2-5]\d\d$/.test(status))
    .map(Number)
  const applied = statuses.filter((status) => status < 300)
  const notApplied = statuses.filter(
    (status) => status >= 400 && status < 500 && !UNCERTAIN.includes(status),
  )
  const [only, ...others] = applied
  const success = only === undefined ? undefined : responses[String(only)]
  const schema =
    success === undefined || method === 'HEAD' ? undefined : readSchema(document, success)
  const isOne = others.length === 0
  return {
    applied,
    notApplied,
    ...(schema === undefined || !isOne
      ? {}
      : { result: converter.convert(schema, { closed: false }) }),
    undecided: [
      ...(applied.length === 0 ? ['applied'] : []),
      ...(notApplied.length === 0 ? [] : ['not_applied']),
      // Several answers are successes, and a manifest has one schema.
      ...(isOne ? [] : ['result']),
    ],
  }
}

function readSchema(document: JsonObject, response: JsonValue): JsonValue | undefined {
  const { value } = followReference(document, response)
  return isObject(value) ? findJsonSchema(value.content) : undefined
}
