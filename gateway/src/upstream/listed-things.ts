/** What a server offers beside its tools: resources, templates of them, and prompts. */
import type { Client } from '@modelcontextprotocol/client'
import {
  isMcpToolName,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Redaction } from 'rubicon-runtime/tools'
import { MCP_LIMITS } from '../mcp-limits.ts'
import { hasSecret } from './has-secret.ts'
import { toJson } from './to-json.ts'

export const THING_LISTS = ['prompts', 'resources', 'templates'] as const

export type ThingList = (typeof THING_LISTS)[number]

const TEXTS = ['title', 'description', 'mimeType'] as const

/**
 * All pages together; what is not whole, or has a secret of its server in it, is left out, and more than may be listed is
 * an error.
 */
export async function readThings(
  client: Client,
  list: ThingList,
  redaction: Redaction,
): Promise<readonly JsonObject[]> {
  if (!isOffered(client, list)) return []
  const options = { signal: AbortSignal.timeout(LIMITS.toolMs), cacheMode: 'refresh' } as const
  const said = await listAll(client, list, options)
  if (said.length > MCP_LIMITS.listed) throw new Error(`more than ${MCP_LIMITS.listed} ${list}`)
  return said.flatMap((one) => {
    const json = toJson(one)
    const thing = json === undefined ? undefined : parseThing(list, json)
    return thing === undefined || hasSecret(thing, redaction) ? [] : [thing]
  })
}

type ListOptions = NonNullable<Parameters<Client['listResources']>[1]>

async function listAll(
  client: Client,
  list: ThingList,
  options: ListOptions,
): Promise<readonly object[]> {
  if (list === 'prompts') return (await client.listPrompts(undefined, options)).prompts
  if (list === 'resources') return (await client.listResources(undefined, options)).resources
  return (await client.listResourceTemplates(undefined, options)).resourceTemplates
}

function isOffered(client: Client, list: ThingList): boolean {
  const offered = client.getServerCapabilities()
  return (list === 'prompts' ? offered?.prompts : offered?.resources) !== undefined
}

/** Only what is named here is passed on. */
function parseThing(list: ThingList, said: JsonObject): JsonObject | undefined {
  const { name } = said
  if (typeof name !== 'string') return undefined
  const thing: Record<string, JsonValue> = { name }
  for (const member of TEXTS) {
    const text = said[member]
    if (typeof text === 'string') thing[member] = text
  }
  if (list === 'prompts') {
    if (!isMcpToolName(name)) return undefined
    thing.arguments = readArguments(said.arguments)
  } else {
    const member = list === 'resources' ? 'uri' : 'uriTemplate'
    const address = said[member]
    if (typeof address !== 'string') return undefined
    thing[member] = address
  }
  return toCanonicalText(thing).length > MCP_LIMITS.definitionLength ? undefined : thing
}

function readArguments(said: JsonValue | undefined): JsonValue {
  if (!Array.isArray(said)) return []
  return (said as readonly JsonValue[]).flatMap((one) => {
    if (!isObject(one) || typeof one.name !== 'string') return []
    const { name, description, required } = one
    return [
      {
        name,
        ...(typeof description === 'string' ? { description } : {}),
        ...(typeof required === 'boolean' ? { required } : {}),
      },
    ]
  })
}
