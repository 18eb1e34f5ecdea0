/**
 * Which members of `context` a set of rules reads, found once when it is loaded. Handing values over to the
 * evaluator is most of what asking it costs, so that it is not given what none of its rules can see, and not
 * asked at all about an action of which none of them speaks.
 *
 * R1 where it cannot be told what a rule reads, or of which action it speaks, it is given everything, and asked.
 * R2 only what the evaluator reads for certain is left out: what it would fail on is given, and refuses.
 *
 * So a policy says what it would say if it were given everything, word for word: a ledger that was written
 * before is judged alike.
 */
import type * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import { isObject, type JsonValue } from 'rubicon-kernel'
import { findHeadActions, findMemberPath } from './cedar-names.ts'

type Record = { readonly [name: string]: cedar.CedarValueJson }

/** Of each member of `context` that is read: all of it, or the members of it that are. */
export type CedarReads = 'all' | ReadonlyMap<string, 'all' | ReadonlySet<string>>

/** Of one action. */
export type ActionReads = {
  /** A rule speaks of it, or of all. */
  readonly isMeant: boolean
  readonly reads: CedarReads
}

/** Of rules, as the evaluator writes them in JSON: an action is what its head says, since nothing is in anything. */
export function indexActionReads(rules: readonly JsonValue[]): (action: string) => ActionReads {
  const heads = rules.map((rule) => ({ rule, actions: findHeadActions(rule) }))
  const listReads = (action: string | null): ActionReads => {
    const meant = heads.filter(
      ({ actions }) => actions === null || (action !== null && actions.includes(action)),
    )
    return { isMeant: meant.length > 0, reads: listCedarReads(meant.map(({ rule }) => rule)) }
  }
  const named = new Set(heads.flatMap(({ actions }) => actions ?? []))
  const known = new Map([...named].map((action) => [action, listReads(action)]))
  const others = listReads(null)
  return (action) => known.get(action) ?? others
}

/** Of rules, as the evaluator writes them in JSON. Without recursion, as in `cedar-names.ts`. */
export function listCedarReads(rules: readonly JsonValue[]): CedarReads {
  const reads = new Map<string, 'all' | Set<string>>()
  const waiting: JsonValue[] = [...rules]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue
    if (isObject(node)) {
      // By itself, and not as what a member is read of: any member of it may count.
      if (node.Var === 'context') return 'all'
      const path = findMemberPath(node['.']) ?? findMemberPath(node.has)
      if (path !== null) {
        addRead(reads, path)
        continue
      }
    }
    waiting.push(...Object.values(node))
  }
  return reads
}

function addRead(
  reads: Map<string, 'all' | Set<string>>,
  [first = '', second]: readonly string[],
): void {
  const known = reads.get(first)
  if (known === 'all') return
  if (second === undefined) reads.set(first, 'all')
  else if (known === undefined) reads.set(first, new Set([second]))
  else known.add(second)
}

/** The context without what no rule reads. */
export function pickRead(context: Record, reads: CedarReads): Record {
  if (reads === 'all') return context
  const picked: { [name: string]: cedar.CedarValueJson } = {}
  for (const [name, value] of Object.entries(context)) {
    const read = reads.get(name)
    if (read === 'all') picked[name] = value
    else if (isRecord(value)) {
      const part = pickMembers(value, read)
      if (read !== undefined || Object.keys(part).length > 0) picked[name] = part
    } else if (read !== undefined || !isPlain(value)) picked[name] = value
  }
  return picked
}

function pickMembers(record: Record, read: ReadonlySet<string> | undefined): Record {
  const part: { [name: string]: cedar.CedarValueJson } = {}
  for (const [name, value] of Object.entries(record))
    if (read?.has(name) === true || !isPlain(value)) part[name] = value
  return part
}

function isRecord(value: cedar.CedarValueJson): value is Record {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !Object.hasOwn(value, '__extn')
  )
}

/** A decimal has 64 bits and four digits: one of so many characters has a place in it. */
const DECIMAL_LENGTH = 15

function isPlain(value: cedar.CedarValueJson): boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isSafeInteger(value)
  const decimal = getDecimal(value)
  return decimal !== null && decimal.length <= DECIMAL_LENGTH
}

function getDecimal(value: cedar.CedarValueJson): string | null {
  if (typeof value !== 'object' || value === null || !('__extn' in value)) return null
  const call: unknown = value.__extn
  if (typeof call !== 'object' || call === null || !('arg' in call)) return null
  return typeof call.arg === 'string' ? call.arg : null
}
