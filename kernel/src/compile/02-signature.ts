/**
 * Stage 2: who speaks, and whose authority they carry.
 *
 * The engine checked the mathematics; this stage decides what a valid signature is worth, and what a
 * session is worth by the key that it was bound to. A writ's id is recomputed from its body on every
 * use, and the chain must end at a registered issuer.
 */
import { isKeyOfAgent, type KeyFact, type SignatureFact } from '../keys/key.ts'
import type { Writ } from '../writ/writ.ts'
import { computeWritId } from '../writ/writ-id.ts'
import type { AuthorityInput, CompileInput } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

export const signatureStage: Stage = {
  name: 'signature',
  reads: ['auth', 'writs'],
  run(input: CompileInput): StageResult {
    const speaker = checkSpeaker(input)
    return speaker.said === 'pass' ? checkChain(input) : speaker
  },
  runCovered(input: CompileInput): StageResult {
    const speaker = checkSpeaker(input)
    return speaker.said === 'pass' ? checkChain(input, true) : speaker
  },
}

function checkSpeaker({ facts: { value: facts }, contract, proposal }: CompileInput): StageResult {
  const { auth } = facts
  if (auth.kind === 'session') {
    if (contract?.safety_rules.requires_signature === true) return refuse('SIGNATURE_REQUIRED')
    return auth.key === null ? PASS : checkKey(auth.key, proposal.agent_id)
  }
  // The decision was signed, and the engine has checked that.
  if (auth.kind === 'approval') return PASS
  const { signature } = auth
  if (!signature.valid) return refuse('PROPOSAL_SIGNATURE_INVALID', { key_id: signature.key_id })
  return checkKey(signature, proposal.agent_id)
}

/** A key that was compromised or retired meanwhile has no purpose any more. */
function checkKey(key: KeyFact, agent: string): StageResult {
  if (isKeyOfAgent(key, agent)) return PASS
  return refuse('KEY_PURPOSE', { key_id: key.key_id, wanted: 'agent' })
}

/**
 * `isSettled`: whose keys these are, and that each writ names the one above it, was found before. That they are what
 * was signed is asked every time: a row can be changed whenever somebody holds the store.
 */
export function checkChain(
  { facts: { value: facts }, proposal, writs, rules }: AuthorityInput,
  isSettled = false,
): StageResult {
  if (writs.length === 0 || writs.length !== facts.writs.length) return refuse('WRIT_MISSING')
  // An agent that asks for one writ must not get the authority of another.
  if (proposal.writ_id !== undefined && proposal.writ_id !== writs[0]?.id)
    return refuse('WRIT_MISSING', { writ: proposal.writ_id })
  for (const [index, writ] of writs.entries()) {
    const fact = facts.writs[index]
    if (
      fact === undefined ||
      fact.id !== writ.id ||
      computeWritId(writ.body, rules.sha256) !== writ.id
    )
      return refuse('WRIT_ID_MISMATCH', { writ: writ.id })
    if (!fact.signature.valid || fact.signature.key_id !== writ.body.issuer_key)
      return refuse('WRIT_SIGNATURE_INVALID', { writ: writ.id })
    const problem = isSettled ? null : checkSigner(writ, fact.signature, writs[index + 1])
    if (problem !== null) return problem
  }
  return PASS
}

/**
 * The last writ is signed by a registered issuer, every other by its parent's subject, with its own
 * key or by the issuer that keeps it. A key that counts for nothing has no purpose: it was never
 * registered, or it is compromised.
 */
function checkSigner(
  writ: Writ,
  signature: SignatureFact,
  parent: Writ | undefined,
): StageResult | null {
  const { key_id, purpose, subject } = signature
  if (purpose === null || !isLinked(writ, parent))
    return refuse('WRIT_UNTRUSTED_ISSUER', { writ: writ.id })
  if (purpose === 'issuer') return null
  if (parent === undefined) return refuse('KEY_PURPOSE', { key_id, wanted: 'issuer' })
  if (purpose === 'agent' && subject === parent.body.subject) return null
  return refuse('KEY_PURPOSE', { key_id, wanted: 'agent' })
}

function isLinked({ body }: Writ, parent: Writ | undefined): boolean {
  if (parent === undefined) return body.parent === undefined
  return body.parent === parent.id && body.issuer_key === parent.body.subject_key
}
