/** The boundary: bytes, text or a value handed over in code become a proposal, or a refusal. */
import {
  type Addressed,
  type ApprovalFact,
  addressed,
  checkJson,
  err,
  hashText,
  hex,
  type JsonObject,
  type JsonValue,
  ok,
  type PolicyProposal,
  parseJson,
  parseProposal,
  type ReasonCode,
  type Result,
  type Sha256,
} from 'rubicon-kernel'
import type { Unit } from '../ports/store.ts'

export type Received = {
  /** SHA-256 of the bytes as received, or of the canonical form of a value handed over in code. */
  readonly received: string
  readonly document: Addressed<JsonValue>
  readonly proposal: PolicyProposal
  /** It waited for a decision, and now it has one. */
  readonly release?: Release
}

/** What was decided, and the unit that uses the decision up: it is part of whatever follows. */
export type Release = { readonly approval: ApprovalFact; readonly unit: Unit }

export type Unreadable = {
  readonly received: string
  readonly code: ReasonCode
  readonly details: JsonObject
  readonly document?: Addressed<JsonValue>
}

export type ProposalInput = Uint8Array | string | object

export function receiveProposal(
  input: ProposalInput,
  sha256: Sha256,
): Result<Received, Unreadable> {
  const read = readDocument(input, sha256)
  if (!read.ok) return read
  const { value } = read.value
  const document = addressed('proposal', value, sha256)
  const received = read.value.received ?? hashText(document.text, sha256)
  const proposal = parseProposal(value)
  if (proposal.ok) return ok({ received, document, proposal: proposal.value })
  const { code, details } = proposal.error
  return err({ received, code, details, document })
}

function readDocument(
  input: ProposalInput,
  sha256: Sha256,
): Result<{ received: string | null; value: JsonValue }, Unreadable> {
  if (typeof input === 'string' || input instanceof Uint8Array) {
    // A string with half a surrogate pair has no bytes; the parser refuses it, so hash what it would be.
    const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input
    const received = hex(sha256(bytes))
    const parsed = parseJson(input)
    if (parsed.ok) return ok({ received, value: parsed.value })
    const { code, at, detail } = parsed.error
    return err({ received, code, details: { at, detail } })
  }
  const checked = checkJson(input)
  if (!checked.ok) {
    const { code, path, detail } = checked.error
    return err({ received: hashText('', sha256), code, details: { path, detail } })
  }
  return ok({ received: null, value: checked.value })
}
