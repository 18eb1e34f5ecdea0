/** The operations of a document, each under one name. */
import { err, isObject, type JsonObject, type JsonValue, ok, type Result } from 'rubicon-kernel'
import type { HttpMethod } from '../http/allowance.ts'

export type Operation = {
  /** Its `operationId`, else its method and path. */
  readonly name: string
  readonly method: HttpMethod
  readonly path: string
  readonly said: JsonObject
  /** What is said of all operations of the path. */
  readonly shared: JsonObject
}

const METHODS: Readonly<Record<string, HttpMethod>> = {
  get: 'GET',
  head: 'HEAD',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
}

/** Err: a name that two have means neither. */
export function listOperations(document: JsonObject): Result<readonly Operation[], string> {
  const found: Operation[] = []
  const names = new Set<string>()
  for (const [path, shared] of listMembers(document.paths)) {
    if (!isObject(shared)) continue
    for (const [word, said] of Object.entries(shared)) {
      const method = Object.hasOwn(METHODS, word) ? METHODS[word] : undefined
      if (method === undefined || !isObject(said)) continue
      const { operationId } = said
      const name = typeof operationId === 'string' ? operationId : `${method} ${path}`
      if (names.has(name)) return err(`two operations are called \`${name}\``)
      names.add(name)
      found.push({ name, method, path, said, shared })
    }
  }
  return ok(found)
}

function listMembers(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return isObject(value) ? Object.entries(value) : []
}

/**
 * The kind of the tool, and so the name of its file: capitals, digits and underscores, whatever the document says, so
 * that no name leads out of a folder. Undefined: nothing is left of it, or too much.
 */
export function toKind(name: string): string | undefined {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split(/[^A-Za-z0-9]+/)
  const kind = words
    .filter((word) => word !== '')
    .join('_')
    .toUpperCase()
  return kind !== '' && kind.length <= 64 ? kind : undefined
}
