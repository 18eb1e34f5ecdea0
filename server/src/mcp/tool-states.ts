/** What servers say of their tools now, against what somebody agreed to, as people are shown it. */
import { type JsonObject, type Sha256, toCanonicalText, toMcpKind } from 'rubicon-kernel'
import {
  type ComparedTool,
  computePin,
  findHiddenCharacters,
  type LockedTool,
  listDefinitionChanges,
  type ToolDefinition,
  type ToolLock,
} from 'rubicon-mcp'
import type { McpToolState } from '../http/schemas/mcp-door.ts'

/** `lock`: as it is written; `held`: what calls are judged under. */
export function describeTool(
  one: ComparedTool,
  lock: ToolLock,
  held: ToolLock,
  sha256: Sha256,
): McpToolState {
  const { server, tool, state, agreed, found, why } = one
  const written = findLocked(lock, one)
  const isDifferent = state === 'changed' || state === 'new' || state === 'refused'
  const shown = found ?? agreed
  return {
    server,
    tool,
    kind: toMcpKind(server, tool),
    state,
    pin: found === undefined ? null : computePin(found, sha256),
    in_use: written !== undefined && isSame(written, findLocked(held, one)),
    class: one.class === null ? null : toObject(one.class),
    definition: shown === undefined ? null : toObject(shown),
    changes: isDifferent ? listDefinitionChanges(agreed, found) : [],
    hidden: listHidden(shown),
    approved: written?.approved ?? null,
    why: why ?? null,
  }
}

function findLocked({ tools }: ToolLock, { server, tool }: ComparedTool): LockedTool | undefined {
  return tools.find((one) => one.server === server && one.definition.name === tool)
}

/** Who approved it, and when, changes nothing about it. */
function isSame(written: LockedTool, held: LockedTool | undefined): boolean {
  if (held === undefined) return false
  const [left, right] = [written, held].map(({ definition, class: said }) =>
    toCanonicalText(toObject({ definition, class: said })),
  )
  return left === right
}

/** In its words and in its schemas. */
function listHidden(definition: ToolDefinition | undefined): readonly string[] {
  const text = JSON.stringify(definition ?? {})
  return [...new Set(findHiddenCharacters(text).map(({ code }) => code))]
}

/** A copy that is JSON and nothing else. */
function toObject(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}
