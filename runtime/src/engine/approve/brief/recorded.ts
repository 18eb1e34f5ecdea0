/** What the ledger has about a request: why it was made, on which facts, and what was said about it. */
import type {
  ApprovalBody,
  ApprovalPayload,
  EscalationRequest,
  ExplanationPayload,
  Facts,
  PendingApprovalPayload,
  Trace,
  WritPayload,
} from 'rubicon-kernel'
import type { Store, StoredEntry } from '../../../ports/store.ts'

export type Recorded = {
  /** What opened the flow, in the words of whoever opened it. */
  readonly trigger: string
  /** Null: there was no proposal, or it was erased. */
  readonly facts: Facts | null
  readonly trace: Trace
  readonly explanations: readonly ExplanationPayload[]
  readonly decisions: readonly RecordedApproval[]
}

export type RecordedApproval = {
  readonly approver: string
  readonly decision: ApprovalBody['decision']
  readonly justification: string
  readonly at: string
}

export async function readRecordedRequest(
  store: Store,
  { id, dfid }: Pick<EscalationRequest, 'id' | 'dfid'>,
): Promise<Recorded> {
  let trigger = ''
  let asked: PendingApprovalPayload | undefined
  const explanations: ExplanationPayload[] = []
  const decisions: RecordedApproval[] = []
  // A flow may be long: what was decided and done in it is not read.
  for (const entry of await store.listFlowEntries(dfid, READ)) {
    const { kind, payload } = parseEntry(entry)
    if (payload === null) continue
    if (kind === 'writ') trigger = payload.flow?.trigger ?? trigger
    // The same request is written again, without its facts, when it is passed on to a person.
    if (kind === 'pending_approval' && payload.request.id === id) asked ??= payload
    if (kind === 'evidence' && payload.finding === 'explained') explanations.push(payload)
    if (kind === 'approval' && payload.body.request_id === id)
      decisions.push(toRecordedDecision(payload, entry))
  }
  return {
    trigger,
    facts: asked?.facts ?? null,
    trace: asked?.trace ?? [],
    explanations,
    decisions,
  }
}

function toRecordedDecision(
  { body }: ApprovalPayload,
  { envelope }: StoredEntry,
): RecordedApproval {
  const { approver, decision, justification } = body
  return { approver, decision, justification, at: envelope.at }
}

type Read =
  | { readonly kind: 'writ'; readonly payload: WritPayload | null }
  | { readonly kind: 'pending_approval'; readonly payload: PendingApprovalPayload | null }
  | { readonly kind: 'evidence'; readonly payload: ExplanationPayload | null }
  | { readonly kind: 'approval'; readonly payload: ApprovalPayload | null }

const READ: readonly Read['kind'][] = ['writ', 'pending_approval', 'evidence', 'approval']

/** Payloads of our own store are canonical JSON of their kind. */
function parseEntry({ envelope, payload }: StoredEntry): Read {
  return { kind: envelope.kind, payload: JSON.parse(payload ?? 'null') } as Read
}
