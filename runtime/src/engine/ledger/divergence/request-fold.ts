/** What the ledger says of the requests of a flow: which wait, and who has said what of them. */
import type {
  ApprovalPayload,
  EscalationRequest,
  Facts,
  JsonValue,
  PendingApprovalPayload,
} from 'rubicon-kernel'

export type RequestFold = {
  readonly request: EscalationRequest
  /** The proposal that waits, as it came; null: there is none. */
  readonly proposal: JsonValue
  readonly approvals: readonly ApprovalPayload[]
  /** `doubtful`: it was approved, and may have been used since. */
  readonly standing: 'open' | 'approved' | 'doubtful' | 'ended'
}

export type Requests = Map<string, RequestFold>

export function addRequest(requests: Requests, payload: PendingApprovalPayload): void {
  const { request, facts, proposal = null } = payload
  const known = requests.get(request.id)
  // Passed on to somebody else, it is still the same request.
  const kept = known?.standing === 'open' ? known : { proposal, approvals: [] }
  requests.set(request.id, { ...kept, request, standing: 'open' })
  endReleased(requests, facts)
}

/** Where the flow goes by it; null: nowhere. */
export function addApproval(
  requests: Requests,
  approval: ApprovalPayload,
): 'ABORTED' | 'ACTIVE' | null {
  const { request_id, decision } = approval.body
  const known = requests.get(request_id)
  if (known === undefined) return null
  if (decision === 'ABORT' || decision === 'EXPIRED') {
    endRequest(requests, request_id)
    return 'ABORTED'
  }
  const approvals = [...known.approvals, approval]
  const standing = approval.releases === null ? 'open' : 'approved'
  requests.set(request_id, { ...known, approvals, standing })
  const isAboutProposal = approval.releases !== null || known.request.proposal_hash !== null
  if (isAboutProposal || approvals.length < known.request.needs) return null
  // There was no proposal: its agent goes on.
  endRequest(requests, request_id)
  return 'ACTIVE'
}

/** What was released by it is over, whatever came of it. */
export function endReleased(requests: Requests, facts: Facts | undefined): void {
  const approval = facts?.approval ?? null
  if (approval !== null) endRequest(requests, approval.request_id)
}

/** A refusal without facts may be that of a release, and does not say of which. */
export function endDoubtful(requests: Requests): void {
  for (const [id, known] of requests)
    if (known.standing === 'approved') requests.set(id, { ...known, standing: 'doubtful' })
}

function endRequest(requests: Requests, id: string): void {
  const known = requests.get(id)
  if (known !== undefined) requests.set(id, { ...known, standing: 'ended' })
}
