/**
 * What events are about, and what holds for all events about one thing: how many agents they wake, and whose proposal
 * stands where several agents answer the same event. It is part of the rules, so that it is recorded and agreed to.
 */
import { compareDecimal, type Decimal, isNegative, parseDecimal } from '../canonical/decimal.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { isPrefixMatch } from '../contract/pattern.ts'
import { LIMITS } from '../limits.ts'
import { err, type Failure, ok, type Result } from '../result.ts'
import { EVENT_LIMITS } from './event-limits.ts'

/** Whose proposal stands. */
export type ArbitrationRule = {
  /** How long proposals are collected; 2000 without it. */
  readonly window_ms?: number
  /** `event`: one proposal of all; `resources`: one of those that touch the same resources. Without it `event`. */
  readonly exclusive?: 'event' | 'resources'
  /** Kinds that go before all others; without it HALT and ALERT. */
  readonly preempting_kinds?: readonly string[]
}

/** From so much change on, so many agents: a quiet day needs fewer of them. */
export type AdmissionStep = {
  /** Percent, as decimal text; ascending. */
  readonly from: string
  /** As many as are woken then. */
  readonly agents: number
}

/** What all events of a topic together may make agents use. */
export type AdmissionTokens = {
  /** In each window. */
  readonly per_window: number
  /** How long a window is. */
  readonly window_s: number
  /** Of one agent that is woken. */
  readonly expected: number
}

/** How many agents an event wakes, beside those that monitor. */
export type AdmissionRule = {
  /** Without it, by the tokens alone. */
  readonly table?: readonly AdmissionStep[]
  /** Without it, by the table alone. */
  readonly tokens?: AdmissionTokens
}

/** What holds for events about some paths. */
export type TopicRow = {
  /** A path of State, or a prefix ending in `*`. */
  readonly topic: string
  /** Without it every proposal is judged by itself. */
  readonly arbitration?: ArbitrationRule
  /** Without it every listener is woken. */
  readonly admission?: AdmissionRule
}

/** How proposals of one event are put in order, with what the rules leave out. */
export type Arbitration = Required<ArbitrationRule>

const DEFAULT_PREEMPTING: readonly string[] = ['HALT', 'ALERT']

/** The first row that fits names the topic of a path. Without one the path is its own topic, and every listener is woken. */
export function findTopicRow(rows: readonly TopicRow[], path: string): TopicRow {
  return rows.find(({ topic }) => isPrefixMatch(topic, path)) ?? { topic: path }
}

/** Null: every proposal is judged by itself. */
export function getArbitration({ arbitration }: TopicRow): Arbitration | null {
  if (arbitration === undefined) return null
  const { window_ms, exclusive, preempting_kinds } = arbitration
  return {
    window_ms: window_ms ?? EVENT_LIMITS.windowMs,
    exclusive: exclusive ?? 'event',
    preempting_kinds: preempting_kinds ?? DEFAULT_PREEMPTING,
  }
}

/** Rows as somebody wrote them. */
export function parseTopics(value: JsonValue): Result<readonly TopicRow[], Failure> {
  if (!Array.isArray(value)) return err(refuseTopics('they are not a list'))
  const rows: readonly JsonValue[] = value
  if (rows.length > EVENT_LIMITS.topicRows)
    return err(refuseTopics(`there are more than ${EVENT_LIMITS.topicRows} of them`))
  const seen = new Set<JsonValue>()
  for (const [index, row] of rows.entries()) {
    const problem = findTopicProblem(row, seen)
    if (problem !== null) return err(refuseTopics(`row ${index + 1} ${problem}`))
  }
  // Each row was checked above.
  return ok(rows as readonly TopicRow[])
}

function findTopicProblem(row: JsonValue, seen: Set<JsonValue>): string | null {
  if (!isObject(row)) return 'is not an object'
  const unknown = findUnknownMember(row, ['topic', 'arbitration', 'admission'])
  if (unknown !== null) return unknown
  const { topic } = row
  if (typeof topic !== 'string' || !isTopic(topic))
    return 'has a `topic` that is no path of State and no prefix ending in `*`'
  if (seen.has(topic)) return 'has the `topic` of a row before it'
  seen.add(topic)
  return (
    (row.arbitration === undefined ? null : findArbitrationProblem(row.arbitration)) ??
    (row.admission === undefined ? null : findAdmissionProblem(row.admission))
  )
}

/** Whether it can name what events are about. */
export function isTopic(topic: string): boolean {
  return topic === '*' || isIdentifier(topic.endsWith('*') ? topic.slice(0, -1) : topic)
}

function findArbitrationProblem(value: JsonValue): string | null {
  if (!isObject(value)) return 'has an `arbitration` that is not an object'
  const unknown = findUnknownMember(value, ['window_ms', 'exclusive', 'preempting_kinds'])
  if (unknown !== null) return unknown
  const { window_ms, exclusive, preempting_kinds } = value
  if (window_ms !== undefined && !isBetween(window_ms, 1, EVENT_LIMITS.windowMostMs))
    return `has a \`window_ms\` that is not between 1 and ${EVENT_LIMITS.windowMostMs}`
  if (exclusive !== undefined && exclusive !== 'event' && exclusive !== 'resources')
    return 'has an `exclusive` that is neither `event` nor `resources`'
  const kinds = preempting_kinds ?? []
  return Array.isArray(kinds) && kinds.every((kind) => typeof kind === 'string')
    ? null
    : 'has `preempting_kinds` that are not a list of names'
}

function findAdmissionProblem(value: JsonValue): string | null {
  if (!isObject(value)) return 'has an `admission` that is not an object'
  const unknown = findUnknownMember(value, ['table', 'tokens'])
  if (unknown !== null) return unknown
  const { table, tokens } = value
  if (table === undefined && tokens === undefined) return 'has an `admission` that limits nothing'
  return (
    (table === undefined ? null : findTableProblem(table)) ??
    (tokens === undefined ? null : findTokensProblem(tokens))
  )
}

function findTableProblem(value: JsonValue): string | null {
  const isList = Array.isArray(value) && value.length > 0
  if (!isList || value.length > EVENT_LIMITS.admissionSteps)
    return `has a \`table\` that is not a list of 1 to ${EVENT_LIMITS.admissionSteps} steps`
  let last: Decimal | undefined
  for (const step of value) {
    if (!isObject(step) || findUnknownMember(step, ['from', 'agents']) !== null)
      return 'has a step in its `table` that is not {from, agents}'
    const from = typeof step.from === 'string' ? parseDecimal(step.from) : undefined
    if (from === undefined || isNegative(from))
      return 'has a step whose `from` is no decimal text from 0 on'
    if (last !== undefined && compareDecimal(last, from) >= 0)
      return 'has a `table` whose steps are not ascending'
    if (!isBetween(step.agents, 0, EVENT_LIMITS.agents))
      return `has a step whose \`agents\` are not between 0 and ${EVENT_LIMITS.agents}`
    last = from
  }
  return null
}

function findTokensProblem(value: JsonValue): string | null {
  if (!isObject(value) || findUnknownMember(value, ['per_window', 'window_s', 'expected']) !== null)
    return 'has `tokens` that are not {per_window, window_s, expected}'
  if (!isBetween(value.per_window, 0, LIMITS.usageUnits))
    return 'has a `per_window` that is no number of tokens'
  if (!isBetween(value.window_s, 1, LIMITS.windowS))
    return `has a \`window_s\` that is not between 1 and ${LIMITS.windowS}`
  return isBetween(value.expected, 1, LIMITS.usageUnits)
    ? null
    : 'has an `expected` that is no number of tokens'
}

function findUnknownMember(
  value: Readonly<Record<string, JsonValue>>,
  known: readonly string[],
): string | null {
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  return unknown === undefined ? null : `has \`${unknown}\`, which is unknown`
}

function isBetween(value: JsonValue | undefined, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
}

function refuseTopics(why: string): Failure {
  return {
    code: 'TOPICS_INVALID',
    summary: 'the topics cannot be read',
    why,
    fix: 'write rows such as {topic: "market.*", arbitration: {window_ms: 2000}}',
  }
}
