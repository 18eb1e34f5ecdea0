/** The contract and the lock with the needs that a person took. */
import { isObject, type JsonObject, type JsonValue, toMcpKind } from 'rubicon-kernel'
import type { LockedTool, ToolLock } from '../../lock/lock-file.ts'
import { TOOL_CLASSES } from '../../lock/tool-class.ts'
import type { Need } from './find-needs.ts'

/** A place in the contract's file, and what stands there afterwards. */
export type ContractEdit = {
  readonly path: readonly (string | number)[]
  readonly value: JsonValue
}

export type TakenNeeds = {
  readonly edits: readonly ContractEdit[]
  readonly lock: ToolLock
  /** The contract as it will be. */
  readonly contract: JsonObject
}

export function applyNeeds(
  contract: JsonObject,
  lock: ToolLock,
  needs: readonly Need[],
): TakenNeeds {
  const next = structuredClone(contract) as Record<string, JsonValue>
  const edits = new Map<string, ContractEdit>()
  const change = (path: readonly (string | number)[], value: JsonValue): void => {
    replaceMember(next, path, value)
    edits.set(JSON.stringify(path), { path, value })
  }
  const append = (path: readonly (string | number)[], values: readonly string[]): void => {
    const before = listItems(getIn(next, path))
    change(path, [...before, ...values.filter((one) => !before.includes(one))])
  }
  for (const need of needs)
    switch (need.need) {
      case 'grant': {
        append(['permissions', 'policy_kinds'], [need.kind])
        append(['safety_rules', 'requires_human_approval'], [need.kind])
        for (const path of listRulePaths(next, findTool(lock, need.kind))) append(path, [need.kind])
        break
      }
      case 'allow': {
        const set = ['permissions', 'resources', need.set]
        append(isObject(getIn(next, set) ?? null) ? [...set, 'allow'] : set, need.values)
        break
      }
      case 'pass': {
        const path = ['safety_rules', 'requires_human_approval']
        change(
          path,
          listItems(getIn(next, path)).filter((one) => one !== need.kind),
        )
        break
      }
    }
  if (edits.size > 0) change(['version'], raiseVersion(String(next.version ?? '1.0.0')))
  return { edits: [...edits.values()], lock: buildPassingLock(lock, needs), contract: next }
}

/** A tool that passes is one that reads; its scopes and measures stay. */
function buildPassingLock({ tools }: ToolLock, needs: readonly Need[]): ToolLock {
  const passing = new Set(needs.flatMap((one) => (one.need === 'pass' ? [one.kind] : [])))
  return {
    tools: tools.map((one) =>
      passing.has(toMcpKind(one.server, one.definition.name)) && one.class?.effect !== 'read'
        ? { ...one, class: { ...one.class, ...TOOL_CLASSES.read } }
        : one,
    ),
  }
}

function findTool({ tools }: ToolLock, kind: string): LockedTool | undefined {
  return tools.find(({ server, definition }) => toMcpKind(server, definition.name) === kind)
}

/** Where rules that bound the arguments of a tool name the kinds that they are for. */
function listRulePaths(
  contract: JsonObject,
  tool: LockedTool | undefined,
): readonly (readonly (string | number)[])[] {
  const scopes = Object.entries(tool?.class?.scopes ?? {})
  const sets = scopes
    .map(([set]) => ['permissions', 'resources', set, 'applies_to'])
    .filter((path) => getIn(contract, path) !== undefined)
  const limits = listItems(getIn(contract, ['permissions', 'limits']))
  const denials = limits.flatMap((limit, index) => {
    if (!isObject(limit) || limit.denied === undefined || limit.applies_to === undefined) return []
    const isSame = scopes.some(
      ([set, at]) => limit.field === at && String(limit.id).startsWith(set),
    )
    return isSame ? [['permissions', 'limits', index, 'applies_to']] : []
  })
  return [...sets, ...denials]
}

function raiseVersion(version: string): string {
  const [major = '1', minor = '0', patch = '0'] = version.split('.')
  return `${major}.${minor}.${Number.parseInt(patch, 10) + 1}`
}

function listItems(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

function getIn(
  value: JsonValue | undefined,
  path: readonly (string | number)[],
): JsonValue | undefined {
  let at = value
  for (const step of path) {
    if (Array.isArray(at)) at = (at as readonly JsonValue[])[Number(step)]
    else if (isObject(at ?? null)) at = (at as JsonObject)[step]
    else return undefined
  }
  return at
}

function replaceMember(
  root: Record<string, JsonValue>,
  path: readonly (string | number)[],
  value: JsonValue,
): void {
  let at: Record<string | number, JsonValue> = root
  for (const step of path.slice(0, -1)) {
    const inside = at[step]
    if (inside === undefined || inside === null || typeof inside !== 'object') at[step] = {}
    at = at[step] as Record<string | number, JsonValue>
  }
  at[path.at(-1) ?? ''] = value
}
