/** Decisions that the law would not have made, in ledgers that are otherwise in order. */
import type { JsonObject } from 'rubicon-kernel'
import { getTraceLines, replaceParams } from './forged-params.ts'
import { type Decision, type Forgery, pickDecision } from './forgery.ts'

export const LAWLESS: readonly Forgery[] = [
  forgeDecision('beyond a limit', (it) => replaceParams(it, { amount: '501.00' })),
  forgeDecision('nobody was asked', (it) => replaceParams(it, { amount: '100.01' })),
  forgeDecision('outside its resources', (it) => replaceParams(it, { currency: 'JPY' })),
  forgeDecision('forbidden by a Cedar policy', (it) => replaceParams(it, { currency: 'CHF' })),
  forgeDecision('parameters outside the schema', (it) => replaceParams(it, { memo: 'thanks' })),
  forgeDecision('less sure than it must be', ({ payload }) => {
    return { ...payload, proposal: { ...payload.proposal, confidence: 0.1 } }
  }),
  forgeDecision('a policy that nobody asked', ({ payload }) => {
    const trace = getTraceLines(payload).map((line) => {
      if (line.stage !== 'policy') return line
      return { ...line, policies: (line.policies as readonly JsonObject[]).slice(0, 1) }
    })
    return { ...payload, trace }
  }),
  forgeDecision('an agent that was suspended', ({ payload }) => {
    return replaceFacts(payload, { agent: { maintenance: false, status: 'SUSPENDED' } })
  }),
  forgeDecision('an agent in maintenance', ({ payload }) => {
    return replaceFacts(payload, { agent: { maintenance: true, status: 'ACTIVE' } })
  }),
  forgeDecision('a budget that was used up', ({ payload }) => {
    const { budgets } = payload.facts as { readonly budgets: readonly JsonObject[] }
    const spent = budgets.map((row) => ({ ...row, used: row.granted ?? '0' }))
    return replaceFacts(payload, { budgets: spent })
  }),
  forgeDecision('another mission', ({ payload }) => {
    const mission_context_hash = `sha256:${'5'.repeat(64)}`
    return { ...payload, proposal: { ...payload.proposal, mission_context_hash } }
  }),
  {
    name: 'refused for nothing',
    of: 'payments',
    detectors: ['law'],
    forge(ledger, rng) {
      const refused = ledger.entries.filter(({ envelope }) => envelope.kind === 'rejection')
      const { payload, ...entry } = rng.pick(refused)
      const at = ledger.entries.findIndex((one) => one.payload === payload)
      ledger.entries[at] = { ...entry, payload: { ...payload, reason_code: 'KIND_FORBIDDEN' } }
    },
  },
]

function forgeDecision(name: string, change: (decision: Decision) => JsonObject): Forgery {
  return {
    name,
    of: 'payments',
    detectors: ['law'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      ledger.change(decision, change(decision))
    },
  }
}

function replaceFacts(payload: JsonObject, changed: JsonObject): JsonObject {
  return { ...payload, facts: { ...(payload.facts as JsonObject), ...changed } }
}
