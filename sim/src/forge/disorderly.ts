/** Histories that cannot be: what a verifier finds without knowing any law but that of the ledger. */
import type { JsonObject } from 'rubicon-kernel'
import { intentWith } from './forged-params.ts'
import { commitOf, type Decision, dispatchOf, type Forgery, pickDecision } from './forgery.ts'

const HASH = 'f'.repeat(64)

export const DISORDERLY: readonly Forgery[] = [
  {
    name: 'one step, committed twice with other parameters',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      const commit = commitOf(ledger, decision)
      const params = { ...(decision.payload.intent.params as JsonObject), amount: '21.00' }
      const intent = intentWith(decision.payload.intent, params)
      const proposal = { ...decision.payload.proposal, params }
      const again = { ...decision.payload, intent, proposal }
      ledger.insertAfter(commit, { ...decision, payload: again, touched: true }, commit)
    },
  },
  {
    name: 'one intent, committed twice',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const commit = commitOf(ledger, pickDecision(ledger, rng))
      ledger.insertAfter(commit, { ...commit })
    },
  },
  {
    name: 'failed, and committed after all',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      ledger.insertAfter(dispatchOf(ledger, decision), failed(decision))
    },
  },
  {
    name: 'committed, and failed after all',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      ledger.insertAfter(commitOf(ledger, decision), failed(decision))
    },
  },
  decided('beyond the budget of its writ', ({ payload }) => {
    return { ...payload, intent: { ...payload.intent, cost: { calls: '1', usd: '601' } } }
  }),
  decided('sent after its deadline', ({ payload }) => {
    const { staged_at } = payload.intent
    return { ...payload, intent: { ...payload.intent, dispatch_before: staged_at ?? null } }
  }),
  decided('parameters that nobody proposed', ({ payload }) => {
    const params = { ...(payload.intent.params as JsonObject), amount: '19.00' }
    return { ...payload, intent: intentWith(payload.intent, params) }
  }),
  decided('another key for the provider', ({ payload }) => {
    return { ...payload, intent: { ...payload.intent, idempotency_key: HASH } }
  }),
  decided('another fingerprint', ({ payload }) => {
    return { ...payload, intent: { ...payload.intent, params_fingerprint: HASH } }
  }),
  decided('a kind that contract and writ do not grant', ({ payload }) => {
    const params = payload.intent.params as JsonObject
    return {
      ...payload,
      proposal: { ...payload.proposal, policy_kind: 'DRAIN' },
      intent: intentWith({ ...payload.intent, policy_kind: 'DRAIN' }, params),
    }
  }),
  {
    name: 'a commit of another proposal',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const commit = commitOf(ledger, pickDecision(ledger, rng))
      ledger.change(commit, { ...commit.payload, proposal_hash: `sha256:${HASH}` })
    },
  },
  {
    name: 'an effect without its dispatch',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      ledger.remove(dispatchOf(ledger, pickDecision(ledger, rng)))
    },
  },
  {
    name: 'an intent that another key signed',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      const signature = { ...(decision.payload.intent.kernel_signature as JsonObject) }
      const sig = `${String(signature.sig).slice(0, 20)}AAAA${String(signature.sig).slice(24)}`
      const intent = { ...decision.payload.intent, kernel_signature: { ...signature, sig } }
      const at = ledger.entries.indexOf(decision)
      ledger.entries[at] = { ...decision, payload: { ...decision.payload, intent } }
    },
  },
]

function decided(name: string, change: (decision: Decision) => JsonObject): Forgery {
  return {
    name,
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      ledger.change(decision, change(decision))
    },
  }
}

function failed({ envelope, payload }: Decision): {
  envelope: Decision['envelope']
  payload: JsonObject
} {
  const { authority_seq: _, ...rest } = envelope
  const settled = {
    salt: payload.salt ?? '',
    intent_id: payload.intent.intent_id ?? '',
    status: 'FAILED',
    reason_code: 'EFFECT_FAILED',
    details: {},
  }
  return { envelope: { ...rest, kind: 'settle' }, payload: settled }
}
