import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import { compileSchema } from 'rubicon-runtime/capabilities'
import { convertToolSchema } from 'rubicon-runtime/tools'
import type { ToolDefinition } from '../definition/tool-definition.ts'

/** Why a result is not what the tool's definition promises, or null. */
export function findResultProblem(
  { outputSchema }: ToolDefinition,
  { content, structuredContent }: JsonObject,
): string | null {
  if (!Array.isArray(content) || !content.every(isContent)) return '`content` is no list of parts'
  if (outputSchema === undefined) return null
  if (!isObject(structuredContent)) return '`structuredContent` is missing'
  const schema = convertToolSchema(outputSchema, { closed: false })
  if (!schema.ok) return `its schema cannot be judged: ${schema.error}`
  const compiled = compileSchema(schema.value)
  if (!compiled.ok) return compiled.error.summary
  const [problem] = compiled.value(structuredContent)
  return problem === undefined ? null : `\`structuredContent${problem.path}\` ${problem.detail}`
}

const CONTENT_TYPES: readonly JsonValue[] = ['audio', 'image', 'resource', 'resource_link', 'text']

function isContent(part: JsonValue): boolean {
  return isObject(part) && CONTENT_TYPES.includes(part.type ?? null)
}
