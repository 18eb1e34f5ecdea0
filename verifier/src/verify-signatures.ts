/**
 * Signatures inside entries, and the addresses that they cover.
 *
 * A signature over a document that only claims to be the one it names would prove nothing: every
 * address inside a payload is recomputed first.
 */
import {
  type AcceptedPayload,
  type ApprovalPayload,
  type DecisionRecord,
  type DispatchPayload,
  decodeBase64,
  deriveKeyId,
  findPublicKeyProblem,
  type JsonValue,
  type KeyPayload,
  type KeyPosition,
  type KeyPurpose,
  type ReadPayload,
  type Sha256,
  type Signature,
  toCanonicalText,
  toPositionAfter,
  toPositionAt,
  type WritPayload,
} from 'rubicon-kernel'
import { filledDetails } from './filled.ts'
import type { KeyRing } from './key-ring.ts'
import { capabilityMisfit, misfit, misfitText, textMisfits, traceAddress } from './misfits.ts'
import { placeOf, type ReadEntry, textsOf } from './read-entry.ts'
import type { Problem } from './report.ts'
import { resendDetails } from './resends.ts'
import { spokenDetails } from './spoken.ts'
import { stepHashDetails } from './step-hashes.ts'
import { type Writs, writProblem } from './writs.ts'

export type SignatureInput = {
  readonly entry: ReadEntry
  readonly ring: KeyRing
  readonly writs: Writs
  /** The last authority entry that stands before this one in the tree. */
  readonly authoritySeq: number
  readonly sha256: Sha256
}

export function verifySignatures(input: SignatureInput): readonly Problem[] {
  const { payload } = input.entry
  if (payload === null) return []
  return details(input, payload).map((detail) => ({ code: 'ENTRY_SIGNATURE', detail }))
}

/** Everything that does not fit, in words. */
function details(input: SignatureInput, read: ReadPayload): readonly string[] {
  const { sha256 } = input
  switch (read.kind) {
    case 'key':
      return keyDetails(input, read.payload)
    case 'contract': {
      const { action, contract, contract_hash } = read.payload.body
      return [
        ...misfit('contract_hash', contract_hash, 'contract', contract, sha256),
        ...authority(input, read, action === 'deploy' ? 'operator' : 'kernel'),
      ]
    }
    case 'policy': {
      const { body } = read.payload
      if ('rules_hash' in body)
        return [
          ...misfit('rules_hash', body.rules_hash, 'rules', body.rules, sha256),
          ...body.capabilities.flatMap((record) => capabilityMisfit(record, sha256)),
          ...textMisfits(body, sha256),
          ...authority(input, read, 'operator'),
        ]
      if (body.action === 'capability')
        return [...capabilityMisfit(body, sha256), ...authority(input, read, 'operator')]
      const monitor =
        body.action === 'watch'
          ? misfit('monitor_hash', body.monitor_hash, 'monitor', body.monitor, sha256)
          : []
      return [...monitor, ...authority(input, read, 'operator')]
    }
    case 'lifecycle':
      return authority(input, read, read.payload.body.actor === 'operator' ? 'operator' : 'kernel')
    case 'revocation':
    case 'anchor':
    case 'source':
    case 'person':
      return authority(input, read, 'operator')
    case 'writ':
      return writDetails(input, read.payload)
    case 'accepted':
      return intentDetails(input, read.payload)
    case 'dispatch':
      return 'intent' in read.payload
        ? intentDetails(input, read.payload)
        : factsDetails(input, read.payload)
    case 'resend':
      return resendDetails(input, read.payload)
    case 'rejection':
    case 'pending_approval':
      return 'facts' in read.payload
        ? [...factsDetails(input, read.payload), ...filledDetails(read.payload)]
        : []
    case 'approval':
      return approvalDetails(input, read.payload)
    case 'erasure':
      return [
        // It stands outside authority, and sees what stands before it.
        ...authority(input, read, 'operator', toPositionAfter(input.authoritySeq)),
        ...(read.payload.body.dfid === input.entry.envelope.dfid ? [] : ['it is of another flow']),
      ]
    default:
      return []
  }
}

function keyDetails({ entry, ring, sha256 }: SignatureInput, payload: KeyPayload): string[] {
  const { body, possession, signature } = payload
  const { seq } = entry.envelope
  const text = toCanonicalText(body)
  const found: string[] = []

  const publicKey = decodeBase64(body.public_key) ?? new Uint8Array(0)
  if (deriveKeyId(body.purpose, publicKey, sha256) !== body.key_id) {
    found.push('key_id does not fit the public key')
  }
  // Under a weak key nothing holds, so that one cannot be added; what ends a key only names it.
  const { by: _, ...owned } = body
  const proof = toCanonicalText(owned)
  if (body.action === 'add' && !ring.holds(body.public_key, 'key', proof, possession ?? '')) {
    const weakness = findPublicKeyProblem(publicKey)
    found.push(`possession of the key is not proven${weakness ? `: ${weakness}` : ''}`)
  }

  const isFirst = ring.keys.firstOperator() === undefined
  const vouchesForItself = isFirst && body.purpose === 'operator' && body.action === 'add'
  if (vouchesForItself && signature.key_id === body.key_id) {
    if (!ring.holds(body.public_key, 'key', text, signature.sig)) {
      found.push('the first operator key does not sign itself')
    }
  } else {
    const position = toPositionAt(seq)
    const problem = ring.judge({
      type: 'key',
      body: text,
      signature,
      purpose: 'operator',
      position,
      place: placeOf(entry),
    })
    if (problem !== undefined) found.push(problem)
  }
  const folded = ring.keys.apply(body, seq)
  if (!folded.ok) found.push(folded.error)
  return found
}

function writDetails(input: SignatureInput, { writ, flow }: WritPayload): string[] {
  const { entry, ring, writs, authoritySeq, sha256 } = input
  const { id, body, signature } = writ
  const text = textsOf(entry).of('writ', 'body')
  const found = misfitText('writ id', id, 'writ', text, sha256)
  const chain = writProblem(body, writs, entry.envelope.tenant, flow?.parent_dfid)
  if (chain !== undefined) found.push(chain)
  if (signature.key_id !== body.issuer_key) found.push('signed by another key than issuer_key')

  const problem = ring.judge({
    type: 'writ',
    body: text,
    signature,
    purpose: body.parent === undefined ? 'issuer' : null,
    position: toPositionAfter(authoritySeq),
    place: placeOf(entry),
  })
  if (problem !== undefined) found.push(problem)
  writs.add(id, body)
  return found
}

function factsDetails(
  { entry, sha256 }: SignatureInput,
  { facts, facts_hash }: Pick<DecisionRecord, 'facts' | 'facts_hash'>,
): string[] {
  if (facts === undefined || facts_hash === undefined) return []
  return misfitText('facts_hash', facts_hash, 'facts', textsOf(entry).of('facts'), sha256)
}

function intentDetails(
  { entry, ring, sha256, authoritySeq }: SignatureInput,
  payload: AcceptedPayload | DispatchPayload,
): string[] {
  const { envelope } = entry
  const { facts_hash, intent, attempt } = payload
  const { kernel_signature, intent_id } = intent
  const texts = textsOf(entry)
  const body = texts.without('intent', ['intent_id', 'kernel_signature'])
  const found = misfitText('facts_hash', facts_hash, 'facts', texts.of('facts'), sha256)
  if (intent.facts_hash !== facts_hash) found.push('facts_hash of the intent does not fit')
  const add = (name: string, stated: string, type: string, text: string): void =>
    void found.push(...misfitText(name, stated, type, text, sha256))
  add('proposal_hash', intent.proposal_hash, 'proposal', texts.of('proposal'))
  if (traceAddress(texts.of('trace'), sha256) !== intent.policy_trace_hash)
    found.push('policy_trace_hash does not fit')
  add('intent_id', intent_id, 'intent', body)
  found.push(...stepHashDetails(intent, texts.of('intent', 'params'), sha256))
  found.push(...filledDetails(payload), ...spokenDetails(ring, payload))
  const { tenant, trajectory, dfid } = envelope
  const isHere = intent.tenant === tenant && intent.trajectory === trajectory
  if (!isHere || intent.dfid !== dfid || intent.attempt !== attempt) {
    found.push('the intent was made for another place')
  }
  const problem = ring.judge({
    type: 'intent',
    body: texts.without('intent', ['kernel_signature']),
    signature: kernel_signature,
    purpose: 'kernel',
    // What is accepted cites nothing: it saw what stands before it.
    position: toPositionAfter(envelope.authority_seq ?? authoritySeq),
    place: placeOf(entry),
  })
  if (problem !== undefined) found.push(problem)
  return found
}

/** A decision is signed by whoever took it, or by whoever vouches for the name. */
function approvalDetails(
  { entry, ring, authoritySeq }: SignatureInput,
  { body, vouched_by, signature }: ApprovalPayload,
): string[] {
  const problem = ring.judge({
    type: 'approval',
    body: textsOf(entry).of('body'),
    signature,
    purpose: vouched_by,
    position: toPositionAfter(authoritySeq),
    place: placeOf(entry),
  })
  const found = problem === undefined ? [] : [problem]
  const isRuntime = body.decision === 'EXPIRED' || body.approver.startsWith('agent:')
  if (isRuntime !== (vouched_by === 'kernel')) found.push('nobody may vouch for that decision so')
  if (isRuntime !== (body.person === undefined))
    found.push('a person decides, and nobody else is one')
  return found
}

type SignedAuthority = {
  readonly kind: string
  readonly payload: { readonly body: JsonValue; readonly signature: Signature }
}

function authority(
  { entry, ring }: SignatureInput,
  read: SignedAuthority,
  purpose: KeyPurpose,
  position: KeyPosition = toPositionAt(entry.envelope.seq),
): string[] {
  const problem = ring.judge({
    type: read.kind,
    body: textsOf(entry).of('body'),
    signature: read.payload.signature,
    purpose,
    position,
    place: placeOf(entry),
  })
  return problem === undefined ? [] : [problem]
}
