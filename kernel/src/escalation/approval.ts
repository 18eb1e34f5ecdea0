/** What is written of a decision, and what is signed of it. */
import type { Address } from '../canonical/address.ts'
import type { Signature } from '../keys/key.ts'
import { NOBODY } from '../person/person.ts'
import type { DecisionWord, EscalationDecision } from './decision.ts'
import type { JudgedModification } from './modification.ts'
import type { EscalationRequest } from './request.ts'

export type ApprovalBody = Omit<EscalationDecision, 'decision' | 'signature'> & {
  readonly request_id: string
  readonly dfid: string
  /** EXPIRED: nobody decided, and the runtime says so. */
  readonly decision: DecisionWord | 'EXPIRED'
  /** The name that a person came by; `agent:` and a parent; or the runtime. */
  readonly approver: string
  /** Who it is, of a person: what is compared. */
  readonly person?: string
}

export type ApprovalPayload = {
  readonly salt: string
  readonly body: ApprovalBody
  /** Whose key it is: the approver's own, or that of whoever vouches for the name. */
  readonly vouched_by: 'approver' | 'operator' | 'kernel'
  /** What may run from here on, once. Null: nothing, or others have to approve it too. */
  readonly releases: Address | null
  /** With MODIFY: as it was judged before, whose digest the decision names. */
  readonly modification?: JudgedModification
  /** Whoever approves answers for the agent: it counts because the contract allows that. */
  readonly self_approval?: 'allowed'
  readonly signature: Signature
}

/** What an approver signs. */
export function buildApprovalBody(
  { id, dfid }: Pick<EscalationRequest, 'id' | 'dfid'>,
  { signature: _, ...decision }: EscalationDecision,
  approver: string,
  person: string,
): ApprovalBody {
  const who = person === NOBODY ? { approver } : { approver, person }
  return { ...decision, request_id: id, dfid, ...who }
}

export const RUNTIME_APPROVER = 'runtime'

export function buildExpiryBody({
  id,
  dfid,
  intent_digest,
  shown_snapshot,
}: EscalationRequest): ApprovalBody {
  return {
    request_id: id,
    dfid,
    decision: 'EXPIRED',
    approver: RUNTIME_APPROVER,
    intent_digest,
    shown_snapshot,
    lifts: [],
    justification: 'nobody decided in time',
  }
}
