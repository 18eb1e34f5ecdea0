/** Two attempts of a flow side by side, member by member: what was proposed, and what was decided about it. */
import { isObject, type JsonValue, toCanonicalText } from 'rubicon-kernel'
import { parseProposed } from './entry-payload.ts'
import type { Attempt } from './story-parts.ts'

export type MemberChange = {
  readonly member: string
  /** Undefined: it has no such member. */
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
  readonly isSame: boolean
}

export function compareAttempts(before: Attempt, after: Attempt): readonly MemberChange[] {
  const [one, other] = [parseProposed(before.proposal), parseProposed(after.proposal)]
  return [
    toLine('kind', one.kind, other.kind),
    ...compareMembers('params', one.params, other.params, 0),
    toLine('confidence', one.confidence, other.confidence),
    toLine('decision', before.outcome, after.outcome),
    toLine('reason', before.code, after.code),
    toLine('stage', before.stage, after.stage),
    ...compareFindings(before, after),
  ].filter((line) => line.isSame === false || (line.before ?? null) !== null)
}

/** Deeper values are compared whole. */
const DEEPEST = 3

function compareMembers(
  place: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  depth: number,
): readonly MemberChange[] {
  if (!isObject(before) || !isObject(after) || depth > DEEPEST)
    return [toLine(place, before, after)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap((name) =>
    compareMembers(`${place}.${name}`, pick(before, name), pick(after, name), depth + 1),
  )
}

/** What the checks computed: the numbers that a verdict hung on. */
function compareFindings(
  { why: [one] }: Attempt,
  { why: [other] }: Attempt,
): readonly MemberChange[] {
  if (one === undefined && other === undefined) return []
  const names = [...new Set([one, other].flatMap((found) => Object.keys(found?.details ?? {})))]
  return names
    .sort()
    .map((name) => toLine(`found.${name}`, one?.details[name], other?.details[name]))
}

function pick(value: Readonly<Record<string, JsonValue>>, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

function toLine(
  member: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): MemberChange {
  const isSame =
    before === after || (before !== undefined && after !== undefined && isLike(before, after))
  return { member, before, after, isSame }
}

function isLike(before: JsonValue, after: JsonValue): boolean {
  return toCanonicalText(before) === toCanonicalText(after)
}
