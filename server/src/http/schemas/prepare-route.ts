/**
 * A route with its schemas, each compiled when it is first asked for, once in a process: a hundred routes of
 * every tenant take a quarter of a second, and most of them are not asked for.
 */
import { assert, type JsonObject } from 'rubicon-kernel'
import { compileSchema, type Validate } from 'rubicon-runtime/capabilities'
import type { Route } from './route.ts'

export type PreparedRoute = {
  readonly route: Route
  readonly checkQuery: Validate
  readonly checkBody: Validate
}

const NO_MEMBERS: JsonObject = { type: 'object', additionalProperties: false }

/** Schemas of routes are constants of the program. */
const compiled = new WeakMap<JsonObject, Validate>()

export function prepareRoute(route: Route): PreparedRoute {
  const { query = NO_MEMBERS, body } = route
  return {
    route,
    checkQuery: (value) => compileOnce(query)(value),
    checkBody:
      body === undefined || body === 'bytes' ? () => [] : (value) => compileOnce(body)(value),
  }
}

function compileOnce(schema: JsonObject): Validate {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const result = compileSchema(schema)
  assert(result.ok, 'the schemas of our own routes compile')
  compiled.set(schema, result.value)
  return result.value
}
