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
import { findEventProblems } from '../authority/events.ts'
import { findWritProblem, type Writs } from '../authority/writs.ts'
import { getMemberTexts, type ReadEntry, toPlace } from '../reading/read-entry.ts'
import {
  findAddressMisfit,
  findCapabilityMisfit,
  findTextMisfit,
  textMisfits,
  traceAddress,
} from '../report/misfits.ts'
import type { Problem } from '../report/report.ts'
import { findAtomSignatureProblems } from './atom-signature.ts'
import { findFilledProblems } from './filled.ts'
import type { KeyRing } from './key-ring.ts'
import { findResendSignatureProblems } from './resend-signature.ts'
import { findSpokenProblems } from './spoken.ts'
import { stepHashDetails } from './step-hashes.ts'

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
  return findPayloadProblems(input, payload).map((detail) => ({ code: 'ENTRY_SIGNATURE', detail }))
}

/** Everything that does not fit, in words. */
function findPayloadProblems(input: SignatureInput, read: ReadPayload): readonly string[] {
  const { sha256, authoritySeq: seen } = input
  switch (read.kind) {
    case 'key':
      return findKeyProblems(input, read.payload)
    case 'contract': {
      const { action, contract, contract_hash } = read.payload.body
      return [
        ...findAddressMisfit('contract_hash', contract_hash, 'contract', contract, sha256),
        ...findAuthoritySignatureProblems(input, read, action === 'deploy' ? 'operator' : 'kernel'),
      ]
    }
    case 'policy':
      return findPolicyProblems(input, read)
    case 'lifecycle':
      return findAuthoritySignatureProblems(
        input,
        read,
        read.payload.body.actor === 'operator' ? 'operator' : 'kernel',
      )
    case 'revocation':
    case 'anchor':
    case 'source':
    case 'person':
      return findAuthoritySignatureProblems(input, read, 'operator')
    case 'writ':
      return findWritSignatureProblems(input, read.payload)
    case 'accepted':
      return findIntentSignatureProblems(input, read.payload)
    case 'dispatch':
      return 'intent' in read.payload
        ? findIntentSignatureProblems(input, read.payload)
        : findFactsHashProblems(input, read.payload)
    case 'resend':
      return findResendSignatureProblems(input, read.payload)
    case 'rejection':
    case 'pending_approval':
      return 'facts' in read.payload
        ? [...findFactsHashProblems(input, read.payload), ...findFilledProblems(read.payload)]
        : []
    case 'evidence':
      return 'atom' in read.payload ? findAtomSignatureProblems(input, read.payload) : []
    case 'approval':
      return findApprovalSignatureProblems(input, read.payload)
    case 'event':
      return findEventProblems(read.payload, sha256)
    case 'erasure':
      return [
        // It stands outside authority, and sees what stands before it.
        ...findAuthoritySignatureProblems(input, read, 'operator', toPositionAfter(seen)),
        ...(read.payload.body.dfid === input.entry.envelope.dfid ? [] : ['it is of another flow']),
      ]
    default:
      return []
  }
}

function findPolicyProblems(
  input: SignatureInput,
  read: Extract<ReadPayload, { readonly kind: 'policy' }>,
): readonly string[] {
  const { sha256 } = input
  const { body } = read.payload
  if ('rules_hash' in body)
    return [
      ...findAddressMisfit('rules_hash', body.rules_hash, 'rules', body.rules, sha256),
      ...body.capabilities.flatMap((record) => findCapabilityMisfit(record, sha256)),
      ...textMisfits(body, sha256),
      ...findAuthoritySignatureProblems(input, read, 'operator'),
    ]
  if (body.action === 'capability')
    return [
      ...findCapabilityMisfit(body, sha256),
      ...findAuthoritySignatureProblems(input, read, 'operator'),
    ]
  const monitor =
    body.action === 'watch'
      ? findAddressMisfit('monitor_hash', body.monitor_hash, 'monitor', body.monitor, sha256)
      : []
  return [...monitor, ...findAuthoritySignatureProblems(input, read, 'operator')]
}

function findKeyProblems({ entry, ring, sha256 }: SignatureInput, payload: KeyPayload): string[] {
  const { body, possession, signature } = payload
  const { seq } = entry.envelope
  const text = toCanonicalText(body)
  const found: string[] = []

  const publicKey = decodeBase64(body.public_key) ?? new Uint8Array(0)
  if (deriveKeyId(body.purpose, publicKey, sha256) !== body.key_id)
    found.push('key_id does not match the public key')
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
      place: toPlace(entry),
    })
    if (problem !== undefined) found.push(problem)
  }
  const folded = ring.keys.apply(body, seq)
  if (!folded.ok) found.push(folded.error)
  return found
}

function findWritSignatureProblems(input: SignatureInput, { writ, flow }: WritPayload): string[] {
  const { entry, ring, writs, authoritySeq, sha256 } = input
  const { id, body, signature } = writ
  const text = getMemberTexts(entry).getText('writ', 'body')
  const found = findTextMisfit('writ id', id, 'writ', text, sha256)
  const chain = findWritProblem(body, writs, entry.envelope.tenant, flow?.parent_dfid)
  if (chain !== undefined) found.push(chain)
  if (signature.key_id !== body.issuer_key) found.push('signed by another key than issuer_key')

  const problem = ring.judge({
    type: 'writ',
    body: text,
    signature,
    purpose: body.parent === undefined ? 'issuer' : null,
    position: toPositionAfter(authoritySeq),
    place: toPlace(entry),
  })
  if (problem !== undefined) found.push(problem)
  writs.add(id, body)
  return found
}

function findFactsHashProblems(
  { entry, sha256 }: SignatureInput,
  { facts, facts_hash }: Pick<DecisionRecord, 'facts' | 'facts_hash'>,
): string[] {
  if (facts === undefined || facts_hash === undefined) return []
  return findTextMisfit(
    'facts_hash',
    facts_hash,
    'facts',
    getMemberTexts(entry).getText('facts'),
    sha256,
  )
}

function findIntentSignatureProblems(
  { entry, ring, sha256, authoritySeq }: SignatureInput,
  payload: AcceptedPayload | DispatchPayload,
): string[] {
  const { envelope } = entry
  const { facts_hash, intent, attempt } = payload
  const { kernel_signature, intent_id } = intent
  const texts = getMemberTexts(entry)
  const body = texts.getTextWithout('intent', ['intent_id', 'kernel_signature'])
  const found = findTextMisfit('facts_hash', facts_hash, 'facts', texts.getText('facts'), sha256)
  if (intent.facts_hash !== facts_hash) found.push('facts_hash of the intent does not match')
  const add = (name: string, stated: string, type: string, text: string): void =>
    void found.push(...findTextMisfit(name, stated, type, text, sha256))
  add('proposal_hash', intent.proposal_hash, 'proposal', texts.getText('proposal'))
  if (traceAddress(texts.getText('trace'), sha256) !== intent.policy_trace_hash)
    found.push('policy_trace_hash does not match')
  add('intent_id', intent_id, 'intent', body)
  found.push(...stepHashDetails(intent, texts.getText('intent', 'params'), sha256))
  found.push(...findFilledProblems(payload), ...findSpokenProblems(ring, payload))
  const { tenant, trajectory, dfid } = envelope
  const isHere = intent.tenant === tenant && intent.trajectory === trajectory
  if (!isHere || intent.dfid !== dfid || intent.attempt !== attempt) {
    found.push('the intent names another flow, attempt, trajectory or tenant')
  }
  const problem = ring.judge({
    type: 'intent',
    body: texts.getTextWithout('intent', ['kernel_signature']),
    signature: kernel_signature,
    purpose: 'kernel',
    // What is accepted cites nothing: it saw what stands before it.
    position: toPositionAfter(envelope.authority_seq ?? authoritySeq),
    place: toPlace(entry),
  })
  if (problem !== undefined) found.push(problem)
  return found
}

/** A decision is signed by whoever took it, or by whoever vouches for the name. */
function findApprovalSignatureProblems(
  { entry, ring, authoritySeq }: SignatureInput,
  { body, vouched_by, signature }: ApprovalPayload,
): string[] {
  const problem = ring.judge({
    type: 'approval',
    body: getMemberTexts(entry).getText('body'),
    signature,
    purpose: vouched_by,
    position: toPositionAfter(authoritySeq),
    place: toPlace(entry),
  })
  const found = problem === undefined ? [] : [problem]
  const isRuntime = body.decision === 'EXPIRED' || body.approver.startsWith('agent:')
  if (isRuntime !== (vouched_by === 'kernel'))
    found.push(isRuntime ? 'the kernel did not sign it' : 'the kernel signed it for a person')
  if (isRuntime !== (body.person === undefined))
    found.push(isRuntime ? 'it names a person, and none decided' : 'it names no person')
  return found
}

type SignedAuthority = {
  readonly kind: string
  readonly payload: { readonly body: JsonValue; readonly signature: Signature }
}

function findAuthoritySignatureProblems(
  { entry, ring }: SignatureInput,
  read: SignedAuthority,
  purpose: KeyPurpose,
  position: KeyPosition = toPositionAt(entry.envelope.seq),
): string[] {
  const problem = ring.judge({
    type: read.kind,
    body: getMemberTexts(entry).getText('body'),
    signature: read.payload.signature,
    purpose,
    position,
    place: toPlace(entry),
  })
  return problem === undefined ? [] : [problem]
}
