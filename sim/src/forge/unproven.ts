/** Effects whose class asks for a proof of the agent, and that the kernel's key alone vouches for. */
import type { JsonObject } from 'rubicon-kernel'
import { getTraceLines } from './forged-params.ts'
import { type Forgery, pickDecision } from './forgery.ts'

export const UNPROVEN: readonly Forgery[] = [
  forgeProof('a proof that binds something else', (payload, proposal) => {
    return { ...payload, proposal: { ...proposal, evidence_hash: '5'.repeat(64) } }
  }),
  forgeProof('a proof that nobody signed', (payload, { signature: _, ...proposal }) => {
    return { ...payload, proposal, facts: toSessionFacts(payload) }
  }),
  forgeProof('no proof where its class asks for one', (payload, proposal) => {
    const { signature: _, evidence_hash: __, ...plain } = proposal
    const trace = getTraceLines(payload).filter(({ stage }) => stage !== 'proof')
    return { ...payload, proposal: plain, facts: toSessionFacts(payload), trace }
  }),
]

function forgeProof(
  name: string,
  change: (payload: JsonObject, proposal: JsonObject) => JsonObject,
): Forgery {
  return {
    name,
    of: 'proofs',
    detectors: ['verifiers', 'law'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng, ({ intent }) => intent.compensation === undefined)
      ledger.change(decision, change(decision.payload, decision.payload.proposal))
    },
  }
}

/** As if the agent had said it in a session of its own. */
function toSessionFacts({ facts, intent }: JsonObject): JsonObject {
  const { agent_id = '' } = intent as JsonObject
  return { ...(facts as JsonObject), auth: { kind: 'session', agent_id, key: null } }
}
