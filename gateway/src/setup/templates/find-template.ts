import { isObject, type JsonObject } from 'rubicon-kernel'
import type { ToolDefinition } from '../../definition/tool-definition.ts'
import { DATABASE } from './database.ts'
import { FETCH } from './fetch.ts'
import { FILESYSTEM } from './filesystem.ts'
import { GIT } from './git.ts'
import { GITHUB } from './github.ts'
import { MEMORY } from './memory.ts'
import type { ServerTemplate, TemplateTool } from './server-template.ts'

export const SERVER_TEMPLATES: readonly ServerTemplate[] = [
  FILESYSTEM,
  GIT,
  FETCH,
  MEMORY,
  GITHUB,
  DATABASE,
]

/** The one of which a server has the most tools; undefined: it is none of them. */
export function findTemplate(definitions: readonly ToolDefinition[]): ServerTemplate | undefined {
  const counted = SERVER_TEMPLATES.map((template) => ({
    template,
    isKnown: definitions.some(({ name }) => template.knownBy.includes(name)),
    count: definitions.filter((one) => findTemplateTool(template, one) !== undefined).length,
  })).filter(({ isKnown, count }) => isKnown && count > 0)
  return counted.sort((a, b) => b.count - a.count)[0]?.template
}

/** Undefined: the template does not have it, or it takes other arguments than the one that is meant. */
export function findTemplateTool(
  { tools }: ServerTemplate,
  { name, inputSchema }: ToolDefinition,
): TemplateTool | undefined {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) return undefined
  const pointers = [
    ...(tool.names ?? []).map(({ at }) => at),
    ...Object.values(tool.measures ?? {}).flatMap((one) => ('of' in one ? [one.of] : [])),
  ]
  return pointers.every((at) => isRequired(inputSchema, at)) ? tool : undefined
}

/** The argument is a member that every call has, and a list where `*` follows. */
export function isRequired({ properties, required }: JsonObject, pointer: string): boolean {
  const [, member = '', behind] = pointer.split('/')
  const schema = isObject(properties) ? properties[member] : undefined
  const isNamed = Array.isArray(required) && required.includes(member)
  if (!isObject(schema) || !isNamed) return false
  return schema.type === (behind === '*' ? 'array' : 'string')
}
