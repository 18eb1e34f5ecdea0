/**
 * What the answer of an MCP tool says of itself, for people who read a flow. No verdict and no outcome depends on it: an answer with
 * `isError` is an answer, and its call happened. Read alone as SUCCESS, it would look as if the tool had done what it was asked.
 */
import { isObject, type JsonValue } from '../canonical/json-value.ts'

/** `observed`: the result of a call, or the observations of a `commit`. Null: no answer of an MCP tool, or one without an error. */
export function describeMcpError(observed: JsonValue | undefined): string | null {
  const one = Array.isArray(observed) && observed.length === 1 ? observed[0] : observed
  if (one === undefined || !isObject(one)) return null
  if (one.isError !== true || !Array.isArray(one.content)) return null
  return typeof one.withheld === 'string'
    ? 'the answer of the tool was withheld'
    : 'the tool answered with an error'
}
