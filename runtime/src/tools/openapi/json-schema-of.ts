import { isObject, type JsonValue } from 'rubicon-kernel'

/** The schema of a body or an answer in JSON; undefined: it is none, or nobody says. */
export function findJsonSchema(content: JsonValue | undefined): JsonValue | undefined {
  const media = isObject(content) ? content['application/json'] : undefined
  return isObject(media) ? media.schema : undefined
}
