/** Whether what ran is what was approved, as the decision that released it has it. */
import {
  type ApprovalFact,
  type ApprovalPayload,
  isObject,
  type JsonValue,
  NO_PAST,
  type PayloadOf,
  toCanonicalText,
} from 'rubicon-kernel'
import { isSameJson } from '../effects/same-json.ts'
import { listTriggers } from './as-asked.ts'

type Asked = {
  readonly request: PayloadOf['pending_approval']['request']
  /** The earliest end of what whoever approved it said; null: nobody has. */
  readonly until: string | null
}

/**
 * What an intent says of its approval is what was decided: the law lifts triggers by it, and lets it be
 * sent, for the first time and again, until then.
 */
export function isStated(
  { request, until }: Asked,
  { body, releases, modification }: ApprovalPayload,
  { decision, binds, approver, lifts, impact, past, rules_hash, valid_until }: ApprovalFact,
): boolean {
  const isIt = decision === body.decision && binds === releases && approver === body.approver
  const isWeighed = impact === (modification ?? request).impact
  const isSame =
    isSameJson(lifts, body.lifts) && isSameJson(past as JsonValue, request.past ?? NO_PAST)
  const isRuled = rules_hash === request.rules_hash
  return isIt && isWeighed && isSame && isRuled && valid_until <= (until ?? '')
}

export function isAsWritten(
  { request }: Pick<Asked, 'request'>,
  modified: ApprovalPayload['body']['modified'],
  proposal: JsonValue | undefined,
): boolean {
  if (modified === undefined || !isObject(proposal)) return false
  const { params = {}, supersedes } = proposal
  const isSame = toCanonicalText(params) === toCanonicalText(modified.params)
  return isSame && supersedes === request.proposal_hash
}

/** What is no trigger has a name that nobody lifts. */
export function listTriggerIds(trace: JsonValue): readonly string[] {
  return listTriggers(trace).map((one) =>
    isObject(one) && typeof one.id === 'string' ? one.id : '',
  )
}
