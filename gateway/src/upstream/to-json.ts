import { checkJson, isObject, type JsonObject } from 'rubicon-kernel'

/** What arrived was JSON; the library's types say less. Undefined: it cannot be recorded, as it is too deep or no text. */
export function toJson(value: object): JsonObject | undefined {
  try {
    const checked = checkJson(JSON.parse(JSON.stringify(value)))
    return checked.ok && isObject(checked.value) ? checked.value : undefined
  } catch {
    return undefined
  }
}
