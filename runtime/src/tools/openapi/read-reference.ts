/** `$ref`: within the document, and never in a circle. */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import { RefusedOperation } from './refused-operation.ts'

export type Followed = {
  readonly value: JsonValue
  /** The references that led here. */
  readonly trail: readonly string[]
}

/** More than any document needs; a chain of references is followed one by one. */
const LONGEST = 32

export function followReference(
  document: JsonObject,
  value: JsonValue,
  trail: readonly string[] = [],
): Followed {
  if (!isObject(value) || !Object.hasOwn(value, '$ref')) return { value, trail }
  const { $ref: reference } = value
  if (typeof reference !== 'string' || !reference.startsWith('#/') || reference.includes('%'))
    throw new RefusedOperation(`the reference \`${String(reference)}\` leads out of the document`)
  if (trail.includes(reference))
    throw new RefusedOperation(`the reference \`${reference}\` leads back to itself`)
  if (trail.length >= LONGEST)
    throw new RefusedOperation(`more than ${LONGEST} references lead to \`${reference}\``)
  return followReference(document, readPlace(document, reference), [...trail, reference])
}

function readPlace(document: JsonObject, reference: string): JsonValue {
  let found: JsonValue | undefined = document
  for (const step of reference.slice(2).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
    if (found === undefined)
      throw new RefusedOperation(`the reference \`${reference}\` leads nowhere`)
  }
  return found
}
