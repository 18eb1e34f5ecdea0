/** A tool of a server as a manifest: its definition says what it takes, its class what it is. */
import {
  err,
  type Failure,
  type JsonObject,
  parseManifest,
  type Result,
  type Sha256,
  shorten,
  type ToolManifest,
  toMcpKind,
  toShownName,
} from 'rubicon-kernel'
import { convertToolSchema } from 'rubicon-runtime/tools'
import { showHiddenCharacters } from '../definition/hidden-characters.ts'
import { computePin, type ToolDefinition } from '../definition/tool-definition.ts'
import type { ToolClass } from './tool-class.ts'

const SUMMARY_LENGTH = 200

/** The first line of the server's own words, as a person sees them. They describe, and decide nothing. */
function summarise({ title, description, name }: ToolDefinition): string {
  const [line = ''] = (title ?? description ?? '').split('\n')
  const text = showHiddenCharacters(line).trim()
  return shorten(text === '' ? name : text, SUMMARY_LENGTH)
}

/** By its pin: another definition of the same tool is another version of the capability. */
function toVersion(pin: string): string {
  return pin.slice('sha256:'.length, 'sha256:'.length + 12)
}

export function buildToolManifest(
  server: string,
  definition: ToolDefinition,
  { timeout_ms, max_bytes, ...said }: ToolClass,
  sha256: Sha256,
): Result<ToolManifest, Failure> {
  const { name: tool, inputSchema } = definition
  if (toShownName(server, tool) === undefined)
    return err(refuseTool(server, tool, 'its name is too long together with that of its server'))
  const params = convertToolSchema(inputSchema)
  if (!params.ok) return err(refuseTool(server, tool, params.error))
  const pin = computePin(definition, sha256)
  const bounds: JsonObject = {
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(max_bytes === undefined ? {} : { max_bytes }),
  }
  return parseManifest({
    manifest: 'rubicon/tool/1',
    kind: toMcpKind(server, tool),
    version: toVersion(pin),
    summary: summarise(definition),
    params: params.value,
    ...said,
    labels: { result: 'external' },
    executor: { mcp: { server, tool, pin, ...bounds } },
  })
}

export function refuseTool(server: string, tool: string, why: string): Failure {
  return {
    code: 'MANIFEST_INVALID',
    summary: `the tool \`${tool}\` of the MCP server \`${server}\` cannot be governed`,
    why,
    fix: 'leave it out, or ask whoever maintains the server',
  }
}
