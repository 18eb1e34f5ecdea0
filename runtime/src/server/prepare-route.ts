/** A route with its schemas compiled, once, when the server starts. */
import { assert, type JsonObject } from 'rubicon-kernel'
import { compileSchema, type Validate } from '../capabilities/schema.ts'
import type { Route } from './route.ts'

export type Prepared = {
  readonly route: Route
  readonly checkQuery: Validate
  readonly checkBody: Validate
}

const NO_MEMBERS: JsonObject = { type: 'object', additionalProperties: false }

export function prepareRoute(route: Route): Prepared {
  const { query = NO_MEMBERS, body } = route
  return {
    route,
    checkQuery: compiled(query),
    checkBody: body === undefined || body === 'bytes' ? () => [] : compiled(body),
  }
}

function compiled(schema: JsonObject): Validate {
  const result = compileSchema(schema)
  assert(result.ok, 'the schemas of our own routes compile')
  return result.value
}
