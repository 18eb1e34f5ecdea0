/**
 * The tools that somebody has looked at, as they were then: each definition, and what a person said that it is. It is
 * kept beside the MCP file, so that a change of it is seen and reviewed as a change of a file is.
 */
import { readFile } from 'node:fs/promises'
import {
  err,
  type Failure,
  isMcpServerName,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  ok,
  parseJson,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import { parseDefinition, type ToolDefinition } from '../definition/tool-definition.ts'
import { MCP_LIMITS } from '../mcp-limits.ts'
import type { ToolClass } from './tool-class.ts'

export type LockedTool = {
  readonly server: string
  readonly definition: ToolDefinition
  /** Null: nobody has said what it is. It may do anything, and asks. */
  readonly class: ToolClass | null
  /** Whose word it is. Absent in files that were written before this was kept, or by hand. */
  readonly approved?: ApprovalNote
}

export type ApprovalNote = {
  readonly by: string
  readonly at: string
  /** Null: they gave none. */
  readonly reason: string | null
}

export type ToolLock = { readonly tools: readonly LockedTool[] }

const FORM = 'rubicon/mcp-lock/1'

/** One that is not there holds nothing. */
export async function loadLock(path: string): Promise<Result<ToolLock, Failure>> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => cause)
  if (bytes instanceof Error)
    return bytes.code === 'ENOENT' ? ok({ tools: [] }) : err(refuseLock(path, bytes.message))
  return readLockText(path, bytes)
}

/** `path`: where it stands, or is to stand. */
export function readLockText(path: string, bytes: Uint8Array): Result<ToolLock, Failure> {
  const parsed = parseJson(bytes, { ...LIMITS.json, bytes: MCP_LIMITS.lockBytes })
  if (!parsed.ok) return err(refuseLock(path, parsed.error.code))
  const lock = parseLock(parsed.value)
  return lock.ok ? lock : err(refuseLock(path, lock.error))
}

export function parseLock(value: JsonValue): Result<ToolLock, string> {
  if (!isObject(value) || value.lock !== FORM) return err(`it is no \`${FORM}\``)
  const { tools } = value
  if (!Array.isArray(tools)) return err('`tools` is no list')
  const read: LockedTool[] = []
  for (const [index, one] of (tools as readonly JsonValue[]).entries()) {
    const tool = parseTool(one)
    if (!tool.ok) return err(`tool ${index} ${tool.error}`)
    read.push(tool.value)
  }
  const names = read.map(({ server, definition }) => `${server} ${definition.name.toLowerCase()}`)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  return twice === undefined ? ok({ tools: read }) : err(`\`${twice}\` stands in it twice`)
}

function parseTool(value: JsonValue): Result<LockedTool, string> {
  if (!isObject(value)) return err('is no object')
  const { server, definition, class: said, approved, ...others } = value
  const [other] = Object.keys(others)
  if (other !== undefined) return err(`has \`${other}\`, which is not known`)
  if (typeof server !== 'string' || !isMcpServerName(server)) return err('names no server')
  const parsed = parseDefinition(definition ?? null)
  if (!parsed.ok) return parsed
  if (said !== null && !isObject(said)) return err('has no `class`')
  const note = approved === undefined ? undefined : parseApprovalNote(approved)
  if (note === null) return err('has no `by`, `at` and `reason` in `approved`')
  return ok({
    server,
    definition: parsed.value,
    // Its members are those of a manifest, and read when one is made of them.
    class: said as (JsonObject & ToolClass) | null,
    ...(note === undefined ? {} : { approved: note }),
  })
}

function parseApprovalNote(value: JsonValue): ApprovalNote | null {
  if (!isObject(value)) return null
  const { by, at, reason } = value
  if (typeof by !== 'string' || typeof at !== 'string') return null
  return reason === null || typeof reason === 'string' ? { by, at, reason } : null
}

/** As it is written: in order, so that a change shows as what it is. */
export function formatLock({ tools }: ToolLock): string {
  const sorted = [...tools].sort((a, b) => (toName(a) < toName(b) ? -1 : 1))
  const document = JSON.parse(toCanonicalText({ lock: FORM, tools: sorted }))
  return `${JSON.stringify(document, null, 2)}\n`
}

function toName({ server, definition }: LockedTool): string {
  return `${server} ${definition.name}`
}

function refuseLock(path: string, why: string): Failure {
  return {
    code: 'MCP_LOCK_INVALID',
    summary: `${path}: the list of agreed tools cannot be used`,
    why,
    fix: 'restore the file; it is written by `rubicon mcp approve`',
  }
}
