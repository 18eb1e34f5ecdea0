/**
 * Was somebody asked as the law has it: at the impact that follows from the capability and from what was
 * computed, with the time to read it that this asks for, and with the words that it has to be typed with? Whoever
 * types what is asked for has read what it is about.
 *
 * Whom the contract names, and how long it leaves for an answer, is checked with the approvals. What the agent had done before is taken as it
 * is stated.
 */
import {
  type CapabilityDescription,
  formatAcknowledgement,
  isObject,
  type JsonObject,
  type JsonValue,
  judgeImpact,
  NO_PAST,
  type PayloadOf,
  parseInstant,
  readBy,
} from 'rubicon-kernel'
import type { Weighed } from '../approvals/raised-impact.ts'
import { getReadableScopes } from './granted.ts'
import { isSameJson } from './same-json.ts'

type Pending = PayloadOf['pending_approval']
type Decided = Extract<Pending, { readonly facts?: unknown }>

/** The capability that a request is about; null: it is about the flow, or put before somebody else. */
export function findAskedCapability(payload: Pending): string | null {
  const facts = 'facts' in payload ? payload.facts : undefined
  const capability = isObject(facts) ? facts.capability : undefined
  const hash = isObject(capability) ? capability.hash : undefined
  return typeof hash === 'string' ? hash : null
}

export function findRequestProblems(
  payload: Pending,
  description: CapabilityDescription | undefined,
  at: string,
): string[] {
  const { request } = payload
  const found = findReadingTimeProblems(request, request.requested_at, at)
  if (!('facts' in payload)) return found
  const { now } = payload.facts
  if (request.requested_at !== now) found.push('the time of the request is not that of its facts')
  if (description === undefined) return [...found, 'its capability is not recorded']
  if (!isRated(description)) return [...found, 'its capability cannot be read']
  const { impact, impact_reasons, exposure, reversible } = request
  const judged = judgeImpact(description, findMeasures(payload), request.past ?? NO_PAST)
  const stated = { impact, impact_reasons, exposure, reversible }
  if (!isSameJson(stated as JsonValue, { ...judged, reversible: description.reversible }))
    found.push('its impact is not the one that it states')
  const params = isObject(payload.proposal) ? payload.proposal.params : undefined
  return [...found, ...findWordProblems(request, description, params)]
}

/** What is HIGH_IMPACT is typed before it is approved; other words say nothing of it. */
function findWordProblems(
  { impact, exposure, acknowledge }: Weighed,
  description: CapabilityDescription,
  params: JsonValue | undefined,
): string[] {
  const { scopes } = getReadableScopes(description)
  const { kind } = description
  const given = isObject(params) ? params : {}
  const words =
    impact === 'HIGH_IMPACT' ? formatAcknowledgement({ kind, scopes }, given, exposure) : undefined
  return acknowledge === words ? [] : ['the words to acknowledge are not those of its impact']
}

/** Of what a person wrote nobody recorded the measures; what holds whatever they are, must be there. */
export function findModificationProblems(
  judged: Weighed,
  params: JsonObject,
  requested_at: string,
  description: CapabilityDescription | undefined,
  at: string,
): string[] {
  const found = findReadingTimeProblems(judged, requested_at, at)
  if (description === undefined) return found
  if (!isRated(description)) return [...found, 'its capability cannot be read']
  const { impact_reasons: reasons } = judgeImpact(description, {}, NO_PAST)
  const always = reasons.filter((reason) => reason !== 'exposure')
  const isStated = always.every((reason) => judged.impact_reasons.includes(reason))
  const isHigh = judged.impact === 'HIGH_IMPACT'
  if (!isStated || isHigh !== judged.impact_reasons.length > 0)
    found.push('its impact is not the one that it states')
  return [...found, ...findWordProblems(judged, description, params)]
}

/** Of a description only the hash was checked. */
function isRated({ kind, exposure }: CapabilityDescription): boolean {
  if (typeof kind !== 'string') return false
  if (exposure === undefined) return true
  const { measure, threshold } = isObject(exposure) ? exposure : {}
  return typeof measure === 'string' && typeof threshold === 'string'
}

/** Nobody reads before they are asked, and much takes ten seconds to read. */
function findReadingTimeProblems(
  { impact, not_before }: Pick<Weighed, 'impact' | 'not_before'>,
  requested_at: unknown,
  at: string,
): string[] {
  const asked = typeof requested_at === 'string' ? parseInstant(requested_at) : undefined
  if (asked === undefined) return ['it does not say when approval was requested']
  const found =
    (parseInstant(at) ?? 0) < asked ? ['approval was requested after the entry was written'] : []
  return not_before >= readBy(asked, impact)
    ? found
    : [...found, 'it may be approved before there is time to read it']
}

/** The trace is read as anybody's: only its hash was checked. */
function findMeasures({ trace }: Decided): JsonObject {
  const lines: readonly JsonValue[] = Array.isArray(trace) ? trace : []
  for (const line of lines)
    if (isObject(line) && line.stage === 'preconditions' && isObject(line.measures))
      return line.measures
  return {}
}
