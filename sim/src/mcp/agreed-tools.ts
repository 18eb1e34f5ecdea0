/** The tools behind the gateway as a person agreed to them. */
import type { JsonObject } from 'rubicon-kernel'
import { TOOL_CLASSES, type ToolClass, type ToolDefinition } from 'rubicon-mcp'

function buildInput(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
}

const REF = { type: 'string' }

/** Pays without being asked, up to what the contract says. */
export const PAY: ToolDefinition & JsonObject = {
  name: 'pay',
  description: 'Pays an amount.',
  inputSchema: buildInput({ ref: REF, amount: { type: 'number' } }, ['ref', 'amount']),
  annotations: { readOnlyHint: false, idempotentHint: false },
}

/** Somebody is asked each time. */
export const WIPE: ToolDefinition & JsonObject = {
  name: 'wipe',
  description: 'Wipes an account.',
  inputSchema: buildInput({ ref: REF }, ['ref']),
  annotations: { destructiveHint: true },
}

export const LOOK: ToolDefinition & JsonObject = {
  name: 'look',
  description: 'Looks something up.',
  inputSchema: buildInput({ ref: REF }, ['ref']),
  outputSchema: {
    type: 'object',
    properties: { seen: { type: 'string' } },
    required: ['seen'],
    additionalProperties: false,
  },
}

/** Agreed to, and granted to nobody. */
export const DRAIN: ToolDefinition & JsonObject = {
  name: 'drain',
  description: 'Drains everything.',
  inputSchema: buildInput({ ref: REF }, ['ref']),
}

export const AGREED: readonly (readonly [ToolDefinition & JsonObject, ToolClass])[] = [
  [PAY, TOOL_CLASSES.write],
  [WIPE, TOOL_CLASSES.write],
  [LOOK, TOOL_CLASSES.read],
  [DRAIN, TOOL_CLASSES.write],
]

export const AGREED_DEFINITIONS: readonly (ToolDefinition & JsonObject)[] = AGREED.map(
  ([definition]) => definition,
)

/** What the contract admits of one payment. */
export const MOST_PAID = 100
