/** What a tool was called with, where a wire format wants an object and the model may have written anything. */
import { isObject, type JsonObject, LIMITS, parseJson } from 'rubicon-kernel'

export function toCallObject(given: string): JsonObject {
  const limits = { ...LIMITS.json, bytes: LIMITS.modelReplyBytes, keys: LIMITS.modelReplyKeys }
  const parsed = parseJson(given === '' ? '{}' : given, limits)
  // The model is shown what it wrote, so that it can do better.
  return parsed.ok && isObject(parsed.value) ? parsed.value : { unreadable_arguments: given }
}
