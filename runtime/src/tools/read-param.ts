import { type JsonObject, type JsonValue, resolvePointer } from 'rubicon-kernel'

/** What stands at a pointer to one place; undefined where nothing does. */
export function readParam(params: JsonObject, pointer: string): JsonValue | undefined {
  const [located, ...others] = resolvePointer(params, pointer)
  return others.length === 0 && located?.kind === 'found' ? located.value : undefined
}
