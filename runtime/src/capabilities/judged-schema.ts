/**
 * What a schema may hold that our evaluator does not judge as JSON Schema 2020-12 says. Such a schema is
 * refused when it is registered: a rule that is read otherwise than it is written is no rule.
 */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'

const DYNAMIC = 'is resolved otherwise here: write `$ref` and `$defs`'

const UNJUDGED: Readonly<Record<string, string>> = {
  $async: 'makes a check that answers later, and nobody waits for it',
  $dynamicAnchor: DYNAMIC,
  $dynamicRef: DYNAMIC,
  $recursiveAnchor: DYNAMIC,
  $recursiveRef: DYNAMIC,
  nullable: 'is no keyword of JSON Schema: write `type: ["string", "null"]`',
  unevaluatedItems: 'is judged otherwise here: write `items` behind `prefixItems`',
}

export const ONE = [
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedProperties',
] as const
export const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const
export const MAPS = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
] as const

/** The first such member, by its place, and why; undefined: there is none. */
export function findUnjudgedProblem(schema: JsonObject): string | undefined {
  let condition: string | undefined
  let rest: string | undefined
  for (const { at, schema: part } of listSchemas(schema)) {
    for (const [name, why] of Object.entries(UNJUDGED))
      if (Object.hasOwn(part, name)) return `\`${at}/${name}\` ${why}`
    if (Object.hasOwn(part, 'if')) condition ??= `${at}/if`
    if (Object.hasOwn(part, 'unevaluatedProperties')) rest ??= `${at}/unevaluatedProperties`
  }
  if (condition === undefined || rest === undefined) return undefined
  return `\`${rest}\` does not see what \`${condition}\` has looked at: write \`additionalProperties\``
}

type Placed = { readonly at: string; readonly schema: JsonObject }

/** A schema and all that stand in it; what is data (`const`, `enum`, `default`) is none. */
function listSchemas(root: JsonObject): readonly Placed[] {
  const found: Placed[] = []
  const visit = (value: JsonValue | undefined, at: string): void => {
    if (!isObject(value)) return
    found.push({ at, schema: value })
    for (const name of ONE) visit(value[name], `${at}/${name}`)
    for (const name of LISTS) visitAll(value[name], `${at}/${name}`)
    for (const name of MAPS) visitAll(value[name], `${at}/${name}`)
  }
  const visitAll = (value: JsonValue | undefined, at: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, part] of Object.entries(value)) visit(part, `${at}/${name}`)
  }
  visit(root, '#')
  return found
}
