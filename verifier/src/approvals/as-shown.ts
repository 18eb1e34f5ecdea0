/**
 * Is what somebody was asked what was proposed, and what ran? People are shown the proposal that stands with the
 * request; the decision is bound to hashes that nobody reads.
 *
 * 1. A request about a proposal stands with it, with the facts and the trace that it was judged on, and names it.
 * 2. A modification is that proposal in the words of the person, and nothing else of it is another.
 * 3. Nothing runs on an approval of a request that showed no proposal, or another one.
 */
import {
  type Address,
  type ApprovalPayload,
  computeAddress,
  isObject,
  type JsonObject,
  type JsonValue,
  type JudgedModification,
  type PayloadOf,
  type Sha256,
} from 'rubicon-kernel'
import { isSameJson } from '../effects/same-json.ts'

type Pending = PayloadOf['pending_approval']
type Request = Pending['request']

/** What a modification leaves as it was proposed; null: no proposal was shown. */
export type Shown = JsonObject | null

const FIRST_STEP = 'step-1'

/** Of the first entry of a request: later ones only put it before others. */
export function findShownProblems(payload: Pending, sha256: Sha256): string[] {
  const { request, attempt } = payload
  if (!('proposal' in payload) || !isObject(payload.proposal))
    return request.kind === 'proposal' ? ['the request shows no proposal'] : []
  const { proposal, facts_hash = null } = payload
  const { step_id = FIRST_STEP } = proposal
  const isSame =
    request.kind === 'proposal' &&
    request.attempt === attempt &&
    isSameJson(request.step_id, step_id) &&
    isSameJson(request.facts_digest, facts_hash) &&
    request.proposal_hash === computeAddress('proposal', proposal, sha256)
  return isSame ? [] : ['the request shows another proposal than the one it is about']
}

/** The signature was of the whole; what it needs, and until when it holds, is judged anew. */
export function getShown(payload: Pending): Shown {
  if (!('facts' in payload) || !isObject(payload.proposal)) return null
  const { evidence_hash: _, signature: __, ...unsigned } = payload.proposal
  const { valid_until: ___, resources: ____, ...rest } = unsigned
  return rest
}

export function isAsModified(
  shown: Shown,
  { proposal_hash: supersedes }: Request,
  { modified }: ApprovalPayload['body'],
  { proposal_hash }: JudgedModification,
  sha256: Sha256,
): boolean {
  if (shown === null || modified === undefined) return false
  const written = { ...shown, ...modified, supersedes } as JsonValue
  return computeAddress('proposal', written, sha256) === proposal_hash
}

/** Of what runs on an approval. */
export function isOfShown(
  shown: Shown,
  request: Request,
  decision: 'OVERRIDE' | 'MODIFY',
  proposal_hash: Address,
): boolean {
  return shown !== null && (decision === 'MODIFY' || request.proposal_hash === proposal_hash)
}
