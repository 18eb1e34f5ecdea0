/**
 * What an MCP server says of a tool, as far as anybody sees or relies on it. All of it is in the pin: a description
 * that changes is as much another tool for a model as a schema that does.
 */
import {
  type Address,
  computeAddress,
  err,
  isMcpToolName,
  isObject,
  type JsonObject,
  type JsonValue,
  ok,
  type Result,
  type Sha256,
  toCanonicalText,
} from 'rubicon-kernel'
import { MCP_LIMITS } from '../mcp-limits.ts'

export type ToolDefinition = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  /** Hints of the server on itself. Nothing is decided on them. */
  readonly annotations?: JsonObject
}

const TEXTS = ['title', 'description'] as const
const OBJECTS = ['outputSchema', 'annotations'] as const

/** Err: why nobody is shown it. What the server says besides is not passed on. */
export function parseDefinition(said: JsonValue): Result<ToolDefinition, string> {
  if (!isObject(said)) return err('is no object')
  const { name, inputSchema } = said
  if (typeof name !== 'string' || !isMcpToolName(name))
    return err('has a name with characters other than A-Z a-z 0-9 _ -, or more than 64')
  if (!isObject(inputSchema)) return err('has no `inputSchema`')
  const definition: Record<string, JsonValue> = { name, inputSchema }
  for (const member of TEXTS) {
    const text = said[member]
    if (text === undefined) continue
    if (typeof text !== 'string' || !text.isWellFormed()) return err(`\`${member}\` is no text`)
    definition[member] = text
  }
  for (const member of OBJECTS) {
    const value = said[member]
    if (value === undefined) continue
    if (!isObject(value)) return err(`\`${member}\` is no object`)
    definition[member] = value
  }
  if (toCanonicalText(definition).length > MCP_LIMITS.definitionLength)
    return err(`has more than ${MCP_LIMITS.definitionLength} characters`)
  return ok({ ...definition, name, inputSchema })
}

/** By definition: one that was read is never changed, and each call of a tool asks for its pin. */
const pins = new WeakMap<ToolDefinition, Address>()

export function computePin(definition: ToolDefinition, sha256: Sha256): Address {
  const known = pins.get(definition)
  if (known !== undefined) return known
  const pin = computeAddress('mcp-tool', definition, sha256)
  pins.set(definition, pin)
  return pin
}
