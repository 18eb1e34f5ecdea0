/**
 * The boundary: bytes, text or a value handed over in code become a proposal, or a refusal.
 *
 * What it leaves out and its flow already says is filled in once the flow is known. The completed
 * document is what is judged and recorded; `received` is the hash of what came.
 */
import {
  type Addressed,
  type ApprovalFact,
  assert,
  checkMessage,
  completeProposal,
  type ExecutionIntent,
  encodeHex,
  err,
  type FlowMember,
  findLooseProof,
  hashText,
  isObject,
  isProofCarrying,
  type JsonObject,
  type JsonValue,
  listMissingMembers,
  ok,
  type PolicyProposal,
  parseJson,
  parseProposal,
  type ReasonCode,
  type Result,
  type Sha256,
  toAddressed,
  toCanonicalText,
  toProvenProposal,
} from 'rubicon-kernel'
import type { FlowRow, Unit } from '../../ports/store.ts'
import type { LiveSession } from '../authority/registry/sessions.ts'

export type Received = {
  /** SHA-256 of the bytes as received, or of the canonical form of a value handed over in code. */
  readonly received: string
  readonly document: Addressed<JsonValue>
  readonly proposal: PolicyProposal
  /** Members that its flow has filled in. */
  readonly filled?: readonly FlowMember[]
  /** The session that it came in; none where it is handed over in process. */
  readonly session?: SpokenIn | null
  /** It waited for a decision, and now it has one. */
  readonly release?: Release
  /** It is about an event. */
  readonly stake?: Stake
}

/** `guards` are empty for what was accepted or approved since: only the key still counts then. */
export type SpokenIn = Pick<LiveSession, 'agent_id' | 'key_id' | 'guards'>

/** What was decided, and the unit that uses the decision up: it is part of whatever follows. */
export type Release = { readonly approval: ApprovalFact; readonly unit: Unit }

/** Of a proposal about an event: what belongs to the unit that says what became of it. */
export type Stake = {
  /** It is dispatched. */
  readonly win: (intent: ExecutionIntent) => Unit
  /** It is refused, or goes to a person. */
  readonly leave: Unit
  /** Its flow stands where it waited for the others. */
  readonly waited: boolean
}

export type Unreadable = {
  readonly received: string
  readonly code: ReasonCode
  readonly details: JsonObject
  readonly document?: Addressed<JsonValue>
}

export type ProposalInput = Uint8Array | string | object

/** A proposal that may still lack what its flow says. */
export type ProposalDraft = {
  /** What its rows are found by. */
  readonly step: Pick<PolicyProposal, 'step_id' | 'writ_id'>
  completeFor(flow: FlowRow): Result<Received, Unreadable>
}

/** A document that lacks nothing is parsed before anything is loaded for it. */
export function receiveDraft(
  input: ProposalInput,
  sha256: Sha256,
): Result<ProposalDraft, Unreadable> {
  const read = readDocument(input, sha256)
  if (!read.ok) return read
  const { value, received: bytes } = read.value
  if (isProofCarrying(value)) return ok(receiveProof(value, bytes, sha256))
  const loose = findLooseProof(value)
  if (loose !== null) {
    const document = toAddressed('proposal', value, sha256)
    return err({ ...loose, received: bytes ?? hashText(document.text, sha256), document })
  }
  const filled = listMissingMembers(value)
  if (filled.length === 0) {
    const whole = parseReceived(read.value, sha256)
    return whole.ok ? ok({ step: whole.value.proposal, completeFor: () => whole }) : whole
  }
  assert(isObject(value), 'only an object lacks members')
  const received = bytes ?? hashText(toCanonicalText(value), sha256)
  const completeFor = (flow: FlowRow): Result<Received, Unreadable> => {
    const { dfid, agent_id, snapshot_id: context_ref, mission_hash: mission_context_hash } = flow
    const said = { dfid, agent_id, context_ref, mission_context_hash }
    const whole = parseReceived({ received, value: completeProposal(value, filled, said) }, sha256)
    if (whole.ok) return ok({ ...whole.value, filled })
    // What cannot be read is kept as it came.
    return err({ ...whole.error, document: toAddressed('proposal', value, sha256) })
  }
  return ok({ step: parseStep(value), completeFor })
}

/** Nothing is filled into what was signed; its agent is the flow's, and whether the key is that agent's is judged. */
function receiveProof(value: JsonObject, bytes: string | null, sha256: Sha256): ProposalDraft {
  const { intent_payload } = value
  const received = bytes ?? hashText(toCanonicalText(value), sha256)
  return {
    step: parseStep(isObject(intent_payload) ? intent_payload : {}),
    completeFor({ agent_id }) {
      const whole = toProvenProposal(value, agent_id)
      if (whole.ok) return parseReceived({ received, value: whole.value }, sha256)
      // What cannot be read is kept as it came.
      return err({ ...whole.error, received, document: toAddressed('proposal', value, sha256) })
    },
  }
}

/** Of a document that is still to be parsed: what is no identifier is refused then. */
function parseStep({ step_id, writ_id }: JsonObject): ProposalDraft['step'] {
  return {
    step_id: typeof step_id === 'string' ? step_id : 'step-1',
    ...(typeof writ_id === 'string' ? { writ_id } : {}),
  }
}

/** One that the runtime wrote or kept: it lacks nothing. */
export function receiveProposal(
  input: ProposalInput,
  sha256: Sha256,
): Result<Received, Unreadable> {
  const read = readDocument(input, sha256)
  return read.ok ? parseReceived(read.value, sha256) : read
}

type ReadDocument = { readonly received: string | null; readonly value: JsonValue }

function parseReceived(
  { received: bytes, value }: ReadDocument,
  sha256: Sha256,
): Result<Received, Unreadable> {
  const document = toAddressed('proposal', value, sha256)
  const received = bytes ?? hashText(document.text, sha256)
  const proposal = parseProposal(value)
  if (proposal.ok) return ok({ received, document, proposal: proposal.value })
  const { code, details } = proposal.error
  return err({ received, code, details, document })
}

function readDocument(input: ProposalInput, sha256: Sha256): Result<ReadDocument, Unreadable> {
  if (typeof input === 'string' || input instanceof Uint8Array) {
    // A string with half a surrogate pair has no bytes; the parser refuses it, so hash what it would be.
    const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input
    const received = encodeHex(sha256(bytes))
    const parsed = parseJson(input)
    if (parsed.ok) return ok({ received, value: parsed.value })
    const { code, at, detail } = parsed.error
    return err({ received, code, details: { at, detail } })
  }
  const checked = checkMessage(input)
  if (!checked.ok) {
    const { code, path, detail } = checked.error
    return err({ received: hashText('', sha256), code, details: { path, detail } })
  }
  return ok({ received: null, value: checked.value })
}
