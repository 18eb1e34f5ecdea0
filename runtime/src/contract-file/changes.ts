/** What differs between two documents, member by member. */
import { isObject, type JsonObject, type JsonValue, toCanonicalText } from 'rubicon-kernel'

/** Values as canonical text; null where the member is not there. */
export type Change = {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

export function listDocumentChanges(
  before: JsonObject | undefined,
  after: JsonObject,
): readonly Change[] {
  const left = new Map(walkLeaves(before ?? {}, ''))
  const right = new Map(walkLeaves(after, ''))
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort()
  return paths
    .map((path) => ({ path, before: left.get(path) ?? null, after: right.get(path) ?? null }))
    .filter((change) => change.before !== change.after)
}

function* walkLeaves(value: JsonValue, path: string): Generator<[string, string]> {
  if (isObject(value) && Object.keys(value).length > 0) {
    for (const [name, member] of Object.entries(value))
      yield* walkLeaves(member as JsonValue, path === '' ? name : `${path}.${name}`)
  } else if (Array.isArray(value) && value.some(isObject)) {
    for (const [index, item] of value.entries())
      yield* walkLeaves(item, `${path}[${getItemName(item, index)}]`)
  } else yield [path, toCanonicalText(value)]
}

/** Limits have ids; by those a moved one is still the same. */
function getItemName(item: JsonValue, index: number): string {
  return isObject(item) && typeof item.id === 'string' ? item.id : String(index)
}
