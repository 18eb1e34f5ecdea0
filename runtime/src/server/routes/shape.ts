/** The words that schemas of requests are written in. */
import { type FlowState, type JsonObject, LIMITS } from 'rubicon-kernel'

/** An object with these members and no others. */
export function closed(
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
}

export function text(maxLength: number): JsonObject {
  return { type: 'string', maxLength }
}

export function words(...known: readonly string[]): JsonObject {
  return { enum: known }
}

export function listOf(items: JsonObject, maxItems: number): JsonObject {
  return { type: 'array', items, maxItems }
}

export const identifier: JsonObject = {
  type: 'string',
  pattern: '^[A-Za-z0-9._:@-]{1,128}$',
}

/** In a query everything is text. */
export const limit: JsonObject = { type: 'string', pattern: '^[1-9][0-9]{0,3}$' }
const LISTED = 100

/** How many rows to list. */
export function limitOf(query: Readonly<Record<string, string>>): number {
  return Math.min(LIMITS.listed, Number(query.limit ?? LISTED))
}

export const FLOW_STATES: readonly FlowState[] = [
  'CREATED',
  'ACTIVE',
  'VALIDATING',
  'ACCEPTED',
  'EXECUTING',
  'ESCALATED',
  'CLOSED',
  'ABORTED',
]
