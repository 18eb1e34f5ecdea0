/**
 * What hands and probes return is input: other people's code wrote it, from what somebody else's server
 * answered. It is read once, member by member; nothing of it is used that was not understood.
 */
import {
  checkJson,
  type Delta,
  encodeUtf8,
  err,
  isIdentifier,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  ok,
  parseDelta,
  type Result,
  toBudgetUnits,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Effect, ProbeAnswer } from '../../ports/capability.ts'

export type ReadEffect = Effect & { readonly delta: Delta }

const EFFECT_MEMBERS: ReadonlySet<string> = new Set<keyof Effect>([
  'result',
  'observations',
  'delta',
  'receipt',
  'cost',
])
const PROBE_MEMBERS: ReadonlySet<string> = new Set<keyof ProbeAnswer>([
  'finding',
  'effect',
  'detail',
])

/** An effect, or in words why it is none. */
export function parseEffect(answer: unknown): Result<ReadEffect, string> {
  const read = readObject(answer, EFFECT_MEMBERS)
  if (!read.ok) return read
  const { observations, cost } = read.value
  if (observations !== undefined && !Array.isArray(observations))
    return err('`observations` is no list')
  const uncounted = cost === undefined ? null : findCostProblem(cost)
  if (uncounted !== null) return err(uncounted)
  const delta = parseDelta(read.value.delta ?? [])
  if (!delta.ok) return err(delta.error)
  return ok({ ...(read.value as Effect), delta: delta.value })
}

/** What a probe found. One that cannot be understood has found nothing. */
export function parseProbeAnswer(answer: unknown): ProbeAnswer {
  const read = readObject(answer, PROBE_MEMBERS)
  if (!read.ok) return buildUnreadableAnswer(read.error)
  const { finding, effect, detail } = read.value
  if (detail !== undefined && typeof detail !== 'string')
    return buildUnreadableAnswer('`detail` is no text')
  if (finding !== 'applied' && finding !== 'absent' && finding !== 'inconclusive')
    return buildUnreadableAnswer('`finding` is none of applied, absent, inconclusive')
  return {
    finding,
    ...(effect === undefined ? {} : { effect: effect as Effect }),
    ...(detail === undefined ? {} : { detail }),
  }
}

function buildUnreadableAnswer(why: string): ProbeAnswer {
  return { finding: 'inconclusive', detail: `the probe's answer cannot be read: ${why}` }
}

/** A copy, so that what was checked is what is used. A member that is `undefined` is left out. */
function readObject(answer: unknown, members: ReadonlySet<string>): Result<JsonObject, string> {
  const given: Record<string, unknown> = {}
  try {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
      return err('it is no object')
    for (const [name, value] of Object.entries(answer)) if (value !== undefined) given[name] = value
  } catch {
    return err('reading it threw')
  }
  const unknown = Object.keys(given).find((name) => !members.has(name))
  if (unknown !== undefined) return err(`\`${unknown}\` is not a member of it`)
  const checked = checkJson(given)
  if (!checked.ok) return err(checked.error.detail)
  const text = toCanonicalText(checked.value)
  if (encodeUtf8(text).length > LIMITS.resultBytes) return err('it is too large')
  // As a store would give it back: whoever gets the answer now and later gets the same.
  return ok(JSON.parse(text) as JsonObject)
}

/** A cost that no counter can hold would be rounded, or lost. */
function findCostProblem(cost: JsonValue): string | null {
  if (!isObject(cost)) return '`cost` is no object'
  const wrong = Object.entries(cost).find(([measure, amount]) => {
    if (!isIdentifier(measure) || typeof amount !== 'string') return true
    return toBudgetUnits(measure, amount) === undefined
  })
  return wrong === undefined ? null : `\`cost\` of \`${wrong[0]}\` is no amount that is counted`
}
