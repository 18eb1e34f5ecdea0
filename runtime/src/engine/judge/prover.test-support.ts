/** Agents with a key that prove what they propose. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import {
  computeEvidenceHash,
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  hashEvidenceContract,
  type JsonObject,
  type JsonValue,
  type ProofCarryingIntent,
  toCanonicalText,
  toEvidenceRules,
  toPayloadType,
} from 'rubicon-kernel'
import { toRawPublicKey } from '../../adapters/system/ed25519.ts'
import type { Flow } from '../../flow.ts'
import type { Runtime } from '../../runtime.ts'
import { buildKeyRegistration, registerKey } from '../authority/keys.ts'

export type Prover = { readonly key_id: string; sign(type: string, value: unknown): string }

/** A new key, registered for the agent. */
export async function createProver({ engine }: Runtime, subject: string): Promise<Prover> {
  const { context } = engine
  const { privateKey } = generateKeyPairSync('ed25519')
  const core = {
    purpose: 'agent',
    public_key: encodeBase64(toRawPublicKey(privateKey)),
    subject,
  } as const
  const signWith = (type: string, value: unknown): string => {
    const text = encodeUtf8(toCanonicalText(value as JsonValue))
    return encodeBase64(
      new Uint8Array(sign(null, encodePreAuth(toPayloadType(type), text), privateKey)),
    )
  }
  const body = buildKeyRegistration(context, core)
  assert.ok(body.ok)
  const possession = signWith('key', body.value)
  const registered = await registerKey(context, { ...core, possession })
  assert.ok(registered.ok)
  return { key_id: body.value.key_id, sign: signWith }
}

/** Bound to what the flow was shown, and signed; `change` is what somebody else would have bound. */
export function proveProposal(
  { engine }: Runtime,
  { dfid, context: seen }: Flow,
  by: Prover,
  wanted: JsonObject,
  change: Partial<ProofCarryingIntent> = {},
): ProofCarryingIntent {
  const { authorities, book, sha256 } = engine.context
  const { snapshot_id: context_ref, mission_context_hash } = seen
  const contract = authorities.remembered.contracts.get(seen.agent_id)?.[0]?.contract
  const h_c = hashEvidenceContract(contract as unknown as JsonValue, sha256)
  const parts = { dfid, context_ref, h_c, h_r: toEvidenceRules(book.hash) }
  const unsigned = {
    dfid,
    intent_payload: { mission_context_hash, ...wanted },
    context_ref,
    evidence_hash: computeEvidenceHash(parts, sha256),
    key_id: by.key_id,
    ...change,
  }
  return { ...unsigned, roa_signature: by.sign('pci', unsigned) }
}
