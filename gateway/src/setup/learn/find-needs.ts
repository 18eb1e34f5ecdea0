/**
 * What a session of use would need that its contract does not give. A model that was told by a page to read `/etc/passwd`
 * needs that, too: so each need has a name, says which calls it comes from, and a person takes it or leaves it.
 *
 * N1 what is denied by name (a forbidden kind, a denied value) is never a need: somebody has decided it.
 * N2 a value is allowed as it was named: one that a contract would read as a pattern (`/srv/*`, `re:.*`) is none of the needs.
 * N3 a tool that is granted asks; what writes goes on asking, however often it was approved.
 */
import { isLiteralPattern, type JsonObject, toMcpKind } from 'rubicon-kernel'
import type { LockedTool, ToolLock } from '../../lock/lock-file.ts'
import { readHintClass } from '../hint-class.ts'
import { readNameClass } from '../name-words.ts'
import type { ObservedCall } from './observed-call.ts'

type NeedOrigin = {
  /** By which a person takes it. */
  readonly id: string
  readonly calls: number
  /** The first of them. */
  readonly dfid: string
}

export type Need = NeedOrigin &
  (
    | { readonly need: 'allow'; readonly set: string; readonly values: readonly string[] }
    | { readonly need: 'grant'; readonly kind: string }
    | { readonly need: 'pass'; readonly kind: string }
  )

export type KeptRefusal = {
  readonly kind: string
  readonly code: string
  readonly calls: number
  readonly why: string
}

export type Learnt = { readonly needs: readonly Need[]; readonly kept: readonly KeptRefusal[] }

export function findNeeds(calls: readonly ObservedCall[], lock: ToolLock): Learnt {
  const tools = new Map(lock.tools.map((one) => [toMcpKind(one.server, one.definition.name), one]))
  return {
    needs: [...findGrants(calls, tools), ...findAllowances(calls), ...findPasses(calls, tools)],
    kept: findKept(calls),
  }
}

function findGrants(
  calls: readonly ObservedCall[],
  tools: ReadonlyMap<string, LockedTool>,
): readonly Need[] {
  const denied = calls.filter(({ code, kind }) => code === 'RBAC_DENIED' && tools.has(kind))
  return [...Map.groupBy(denied, ({ kind }) => kind)].map(([kind, group]) => ({
    ...describeOrigin(kind, group),
    need: 'grant',
    kind,
  }))
}

function findAllowances(calls: readonly ObservedCall[]): readonly Need[] {
  const outside = calls.flatMap((call) => {
    const { set, by } = call.details
    const isOfContract = call.code === 'RESOURCE_SCOPE' && by === 'contract'
    return isOfContract && typeof set === 'string' ? [{ call, set }] : []
  })
  return [...Map.groupBy(outside, ({ set }) => set)].flatMap(([set, group]) => {
    const named = group.flatMap(({ call }) =>
      listTexts(call.details).map((value) => ({ call, value })),
    )
    const groups = Map.groupBy(
      named.filter(({ value }) => isLearnable(value)),
      ({ value }) => findPlace(value),
    )
    return [...groups].map(([place, found]): Need => {
      const distinct = [...new Set(found.map(({ value }) => value))]
      const values = distinct.length > 1 && place !== '' ? [`${place}/*`] : distinct
      const [first = ''] = values
      const origin = describeOrigin(
        `${set}=${first}`,
        found.map(({ call }) => call),
      )
      return { ...origin, need: 'allow', set, values }
    })
  })
}

function listTexts({ outside }: JsonObject): readonly string[] {
  return Array.isArray(outside) ? outside.filter((one) => typeof one === 'string') : []
}

/** Whoever wants to go up says so; it is not learnt. Nor is what would allow more in a contract than the one who called named. */
function isLearnable(value: string): boolean {
  return isLiteralPattern(value) && !value.split(/[/\\]/).includes('..')
}

/** What several values have in common: the host of addresses, the folder of paths. Empty: nothing that a pattern could say. */
function findPlace(value: string): string {
  const address = /^https:\/\/[^/?#@\\]+(?=\/|$)/.exec(value)?.[0]
  if (address !== undefined) return address
  return value.startsWith('/') ? value.slice(0, value.lastIndexOf('/')) : ''
}

/** A person who approved every call of a tool that reads has been asked often enough. */
const APPROVED = 3

function findPasses(
  calls: readonly ObservedCall[],
  tools: ReadonlyMap<string, LockedTool>,
): readonly Need[] {
  const waited = calls.filter(
    ({ what, code }) => what === 'waited' && code === 'HUMAN_APPROVAL_REQUIRED',
  )
  return [...Map.groupBy(waited, ({ kind }) => kind)].flatMap(([kind, group]) => {
    const tool = tools.get(kind)
    const isReader = tool !== undefined && isReading(tool)
    if (!isReader || group.length < APPROVED || !group.every((one) => one.wasApproved)) return []
    return [{ ...describeOrigin(`${kind}=passes`, group), need: 'pass', kind } as const]
  })
}

/** By the person who classified it; where nobody has, its name and its server have to agree. */
function isReading({ class: said, definition: { name, annotations } }: LockedTool): boolean {
  if (said !== null && said.effect === 'read') return true
  const isDestroying = said !== null && said.reversible === false
  const named = readNameClass(name)
  const isNamedSo = named === 'read' || named === undefined
  return !isDestroying && isNamedSo && readHintClass(annotations) === 'read'
}

const KEPT: Readonly<Record<string, string>> = {
  KIND_FORBIDDEN:
    'somebody turned it off: move it from `forbidden_kinds` to `policy_kinds` by hand, and deploy the contract',
  LIMIT_EXCEEDED: 'a limit says so: change it by hand',
  SINK_UNGROUNDED: 'its class holds an argument to facts',
  TOOL_DRIFT: 'its definition has changed: see `rubicon mcp tools`',
}

function findKept(calls: readonly ObservedCall[]): readonly KeptRefusal[] {
  const kept = calls.filter(({ code }) => Object.hasOwn(KEPT, code))
  return [...Map.groupBy(kept, ({ kind, code }) => `${kind} ${code}`).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { kind, code } = first
    return [{ kind, code, calls: group.length, why: KEPT[code] ?? '' }]
  })
}

function describeOrigin(id: string, calls: readonly ObservedCall[]): NeedOrigin {
  return { id, calls: calls.length, dfid: calls[0]?.dfid ?? '' }
}
