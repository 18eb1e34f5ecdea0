/**
 * What wakes an agent: a name of State, and how much of a change is worth its attention. Reasoning
 * costs money, so that noise is dropped before anybody thinks about it.
 */
import type { Contract } from './contract.ts'
import { readPathPattern } from './read-list.ts'
import { freeText, readDecimal, readPositiveOrZero } from './read-scalar.ts'
import { Fields, type Read } from './reader.ts'

/** A name of State that wakes an agent. */
export type Subscription = {
  /** A path of State, or a prefix ending in `*`. */
  readonly topic: string
  /** Without it every change wakes. */
  readonly wake_if?: WakeCondition
}

/** One of them is enough. Each counts from the threshold itself on. */
export type WakeCondition = {
  readonly abs_change_pct?: string
  readonly above?: string
  readonly below?: string
  /** A number is kept as decimal text. */
  readonly equals?: string | boolean
  /** What a change is measured from; without it from the observation before. */
  readonly since?: 'last_observation' | 'last_wake'
}

export const readSubscription: Read<Subscription> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    topic: fields.readRequired('topic', readPathPattern),
    ...fields.readOptional('wake_if', wakeCondition, (wake_if) => ({ wake_if })),
  }
  fields.end()
  return read
}

const wakeCondition: Read<WakeCondition> = (value, place) => {
  const fields = new Fields(value, place)
  const condition: WakeCondition = {
    ...fields.readOptional('abs_change_pct', readPositiveOrZero, (abs_change_pct) => ({
      abs_change_pct,
    })),
    ...fields.readOptional('above', readDecimal, (above) => ({ above })),
    ...fields.readOptional('below', readDecimal, (below) => ({ below })),
    ...fields.readOptional('equals', readScalar, (equals) => ({ equals })),
  }
  const since = fields.readOptional('since', readSince, (value) => ({ since: value }))
  const unknown = fields.listUntaken().length > 0
  fields.end()
  // A condition that names nothing would never hold.
  if (Object.keys(condition).length === 0 && !unknown) fields.refuse('names no condition')
  return { ...condition, ...since }
}

const readSince: Read<NonNullable<WakeCondition['since']>> = (value, place) => {
  if (value === 'last_observation' || value === 'last_wake') return value
  place.refuseValue(value, '`last_observation` or `last_wake`')
  return 'last_observation'
}

const readScalar: Read<string | boolean> = (value, place) => {
  if (typeof value === 'boolean') return value
  return typeof value === 'number' ? readDecimal(value, place) : freeText(value, place)
}

/** Those that a contract lists, and the one that the flat form's threshold stands for. */
export function listSubscriptions(contract: Contract): readonly Subscription[] {
  const { wake_up_threshold_pnl_pct: pnl } = contract.safety_rules
  const listed = contract.permissions.subscriptions
  if (pnl === undefined) return listed
  const topic = `agent.${contract.agent_id}.pnl_pct`
  return [...listed, { topic, wake_if: { above: pnl, below: pnl === '0' ? pnl : `-${pnl}` } }]
}
