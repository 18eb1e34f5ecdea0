/**
 * A decision about an escalation, as it comes in. Strict: a member that nobody reads is a member that
 * the person believes was read, and a fourth word would be somebody's guess at what it means.
 */
import { isIdentifier } from '../canonical/identifier.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { formatInstant, parseInstant } from '../canonical/time.ts'
import type { Refusal } from '../compile/verdict.ts'
import type { Signature } from '../keys/key.ts'
import { LIMITS } from '../limits.ts'
import { err, ok, type Result } from '../result.ts'
import type { Impact } from './impact.ts'

export const DECISIONS = ['OVERRIDE', 'MODIFY', 'ABORT'] as const
/** What a person decides. */
export type DecisionWord = (typeof DECISIONS)[number]

/** What a MODIFY puts in the place of what the agent proposed. */
export type Modification = {
  /** The parameters that it runs with. */
  readonly params: JsonObject
  /** In place of those of the proposal. */
  readonly execution_constraints?: JsonObject
}

/** What somebody decides about a request, bound to what they were shown. */
export type EscalationDecision = {
  /** Whether it runs, runs modified, or is stopped. */
  readonly decision: DecisionWord
  /** Of what was on the screen. */
  readonly intent_digest: string
  /** What the agent had seen. */
  readonly shown_snapshot: string
  /** Ids of triggers. Nothing else is lifted. */
  readonly lifts: readonly string[]
  /** Until when it may be carried out. An ABORT needs none. */
  readonly valid_until?: string
  /** Why; it is recorded. */
  readonly justification: string
  /** The impact that was on the screen. */
  readonly acknowledged_impact?: Impact
  /** What was typed, word for word, where the request asks for words. */
  readonly acknowledgement?: string
  /** Address of the facts that were on the screen, where somebody looked at them as they are now. */
  readonly shown_facts?: string
  /** With MODIFY: what runs instead. */
  readonly modified?: Modification
  /** With MODIFY: the digest under which that was judged. */
  readonly modification?: string
  /** With ABORT: the agent ends as well. */
  readonly retire?: boolean
  /** By the approver's own key, over `approvalBody`. Without one the runtime vouches for the name. */
  readonly signature?: Signature
}

type Check = (value: JsonValue) => boolean

const isIdentifierText: Check = (value) => typeof value === 'string' && isIdentifier(value)
const text: Check = (value) =>
  typeof value === 'string' && value.length <= LIMITS.justificationLength

const MEMBERS: Readonly<Record<keyof EscalationDecision, Check>> = {
  decision: text,
  intent_digest: isIdentifierText,
  shown_snapshot: isIdentifierText,
  lifts: (value) =>
    Array.isArray(value) && value.length <= LIMITS.contractLimits && value.every(text),
  valid_until: isInstant,
  justification: text,
  acknowledged_impact: (value) => value === 'LOW_IMPACT' || value === 'HIGH_IMPACT',
  acknowledgement: text,
  shown_facts: isIdentifierText,
  modified: isModification,
  modification: isIdentifierText,
  retire: (value) => typeof value === 'boolean',
  signature: (value) =>
    isObject(value) &&
    Object.keys(value).length === 2 &&
    typeof value.key_id === 'string' &&
    typeof value.sig === 'string',
}

const REQUIRED: readonly (keyof EscalationDecision)[] = [
  'decision',
  'intent_digest',
  'shown_snapshot',
  'justification',
]

/** In one spelling, because it is signed. */
function isInstant(value: JsonValue): boolean {
  const ms = typeof value === 'string' ? parseInstant(value) : undefined
  return ms !== undefined && formatInstant(ms) === value
}

function isModification(value: JsonValue): boolean {
  if (!isObject(value) || !isObject(value.params)) return false
  const { params: _, execution_constraints = {}, ...rest } = value
  return isObject(execution_constraints) && Object.keys(rest).length === 0
}

export function parseDecision(document: JsonValue): Result<EscalationDecision, Refusal> {
  if (!isObject(document)) return refuseInvalid([['', 'is not an object']])
  const problems = findDecisionProblems(document)
  if (problems.length > 0) return refuseInvalid(problems)
  // Every member was checked above.
  const decision = { lifts: [], ...document } as unknown as EscalationDecision
  if (!DECISIONS.includes(decision.decision)) {
    const details = { decision: decision.decision, known: [...DECISIONS] }
    return err({ code: 'DECISION_UNKNOWN', details })
  }
  const { decision: word, retire, modified, modification, valid_until } = decision
  if (retire === true && word !== 'ABORT')
    return refuseInvalid([['retire', 'goes with ABORT only']])
  if ((modified !== undefined) !== (word === 'MODIFY'))
    return refuseInvalid([['modified', 'goes with MODIFY, and MODIFY with it']])
  if (modification !== undefined && word !== 'MODIFY')
    return refuseInvalid([['modification', 'goes with MODIFY only']])
  if (valid_until === undefined && word !== 'ABORT')
    return refuseInvalid([['valid_until', 'is missing']])
  return ok(decision)
}

/** Of one that is only to be judged. */
export function parseModification(document: JsonValue): Result<Modification, Refusal> {
  if (!isModification(document)) return refuseInvalid([['modified', 'has another form']])
  return ok(document as unknown as Modification)
}

type Problems = readonly (readonly [member: string, detail: string])[]

function findDecisionProblems(document: JsonObject): Problems {
  const problems: [string, string][] = []
  for (const name of Object.keys(document))
    if (!Object.hasOwn(MEMBERS, name)) problems.push([name, 'is unknown'])
  for (const [name, check] of Object.entries(MEMBERS)) {
    const value = document[name]
    if (value !== undefined && !check(value)) problems.push([name, 'has another form'])
  }
  for (const name of REQUIRED) if (document[name] === undefined) problems.push([name, 'is missing'])
  return problems
}

function refuseInvalid(problems: Problems): Result<never, Refusal> {
  const details = { problems: problems.map(([member, detail]) => ({ member, detail })) }
  return err({ code: 'DECISION_INVALID', details })
}
