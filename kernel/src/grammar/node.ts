/** What a grammar is made of: the parameters of a kind as a tree in which every value has its bounds. */
import type { Decimal } from '../canonical/decimal.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { describeDecimalRange } from './decimal-range.ts'

/** One place of the parameters. */
export type GrammarNode =
  | { readonly kind: 'object'; readonly members: readonly GrammarMember[] }
  | {
      readonly kind: 'list'
      readonly items: GrammarNode
      readonly min: number
      readonly max: number
    }
  | TextNode
  | {
      readonly kind: 'decimal'
      readonly min: Decimal
      readonly max: Decimal
      readonly scale: number
    }
  | { readonly kind: 'integer'; readonly min: bigint; readonly max: bigint }
  | { readonly kind: 'number'; readonly min: Decimal | null; readonly max: Decimal | null }
  | { readonly kind: 'values'; readonly values: readonly JsonValue[] }
  | { readonly kind: 'choice'; readonly of: readonly GrammarNode[] }

/** A text that no list and no range bounds. */
export type TextNode = {
  readonly kind: 'text'
  readonly min: number
  readonly max: number
  /** The schema names the longest, or somebody has set one. */
  readonly isLengthStated: boolean
  readonly pattern?: string
}

/** A member of an object. */
export type GrammarMember = {
  readonly name: string
  readonly required: boolean
  readonly node: GrammarNode
}

export function toNodeSchema(node: GrammarNode): JsonObject {
  switch (node.kind) {
    case 'object':
      return toObjectSchema(node.members)
    case 'list':
      return {
        type: 'array',
        items: toNodeSchema(node.items),
        minItems: node.min,
        maxItems: node.max,
      }
    case 'text':
      return toTextSchema(node)
    case 'decimal':
      return {
        type: 'string',
        pattern: describeDecimalRange(node.min, node.max, node.scale) ?? '',
      }
    case 'integer':
      return { type: 'integer', minimum: Number(node.min), maximum: Number(node.max) }
    case 'number':
      return {
        type: 'number',
        ...(node.min === null ? {} : { minimum: toNumber(node.min) }),
        ...(node.max === null ? {} : { maximum: toNumber(node.max) }),
      }
    case 'values':
      return { enum: node.values }
    case 'choice':
      return { anyOf: node.of.map(toNodeSchema) }
  }
}

function toObjectSchema(members: readonly GrammarMember[]): JsonObject {
  const properties: Record<string, JsonValue> = Object.create(null)
  for (const { name, node } of members) properties[name] = toNodeSchema(node)
  const required = members.filter((one) => one.required).map(({ name }) => name)
  return { type: 'object', properties, required, additionalProperties: false }
}

function toTextSchema({ min, max, pattern }: TextNode): JsonObject {
  return {
    type: 'string',
    ...(pattern === undefined ? {} : { pattern }),
    minLength: min,
    maxLength: max,
  }
}

/** The nearest number, which may be a little off: nothing is decided on it. */
function toNumber({ digits, scale }: Decimal): number {
  return Number(digits) / 10 ** scale
}
