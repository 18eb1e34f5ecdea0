import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { own } from './own.ts'

/** The parameter at a dotted path. Own members only: `constructor` is not a parameter. */
export function parameterAt(params: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = params
  for (const name of path.split('.')) {
    value = isObject(value) ? own(value, name) : undefined
  }
  return value
}
