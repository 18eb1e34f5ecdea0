/** Histories that cannot be: what a verifier finds without knowing any law but that of the ledger. */
import type { JsonObject } from 'rubicon-kernel'
import { replaceStep } from './desk-params.ts'
import { replaceIntentParams } from './forged-params.ts'
import { type Decision, dispatchOf, type Forgery, getCommit, pickDecision } from './forgery.ts'

const HASH = 'f'.repeat(64)

export const DISORDERLY: readonly Forgery[] = [
  {
    name: 'one step, committed twice with other parameters',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      const commit = getCommit(ledger, decision)
      const params = { ...(decision.payload.intent.params as JsonObject), amount: '21.00' }
      const intent = replaceIntentParams(decision.payload.intent, params)
      const proposal = { ...decision.payload.proposal, params }
      const again = { ...decision.payload, intent, proposal }
      ledger.insertAfter(commit, { ...decision, payload: again, touched: true }, commit)
    },
  },
  {
    name: 'a second step in a flow that was opened for one',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      const payload = replaceStep(decision, 'step-2')
      ledger.insertAfter(getCommit(ledger, decision), { ...decision, payload, touched: true })
    },
  },
  {
    name: 'one intent, committed twice',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const commit = getCommit(ledger, pickDecision(ledger, rng))
      ledger.insertAfter(commit, { ...commit })
    },
  },
  {
    name: 'failed, and committed after all',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      ledger.insertAfter(dispatchOf(ledger, decision), buildFailedSettle(decision))
    },
  },
  {
    name: 'committed, and failed after all',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      ledger.insertAfter(getCommit(ledger, decision), buildFailedSettle(decision))
    },
  },
  forgeDecision('beyond the budget of its writ', ({ payload }) => {
    return { ...payload, intent: { ...payload.intent, cost: { calls: '1', usd: '601' } } }
  }),
  forgeDecision('sent after its deadline', ({ payload }) => {
    const { staged_at } = payload.intent
    return { ...payload, intent: { ...payload.intent, dispatch_before: staged_at ?? null } }
  }),
  forgeDecision('parameters that nobody proposed', ({ payload }) => {
    const params = { ...(payload.intent.params as JsonObject), amount: '19.00' }
    return { ...payload, intent: replaceIntentParams(payload.intent, params) }
  }),
  forgeDecision('another key for the provider', ({ payload }) => {
    return { ...payload, intent: { ...payload.intent, idempotency_key: HASH } }
  }),
  forgeDecision('another fingerprint', ({ payload }) => {
    return { ...payload, intent: { ...payload.intent, params_fingerprint: HASH } }
  }),
  forgeDecision('a kind that contract and writ do not grant', ({ payload }) => {
    const params = payload.intent.params as JsonObject
    return {
      ...payload,
      proposal: { ...payload.proposal, policy_kind: 'DRAIN' },
      intent: replaceIntentParams({ ...payload.intent, policy_kind: 'DRAIN' }, params),
    }
  }),
  {
    name: 'a commit of another proposal',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const commit = getCommit(ledger, pickDecision(ledger, rng))
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

function forgeDecision(name: string, change: (decision: Decision) => JsonObject): Forgery {
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

function buildFailedSettle({ envelope, payload }: Decision): {
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
