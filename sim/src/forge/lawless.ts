/** Decisions that the law would not have made, in ledgers that are otherwise in order. */
import type { JsonObject } from 'rubicon-kernel'
import { aboutParams, linesOf } from './forged-params.ts'
import { type Decision, type Forgery, pickDecision } from './forgery.ts'

export const LAWLESS: readonly Forgery[] = [
  decided('beyond a limit', (it) => aboutParams(it, { amount: '501.00' })),
  decided('nobody was asked', (it) => aboutParams(it, { amount: '100.01' })),
  decided('outside its resources', (it) => aboutParams(it, { currency: 'JPY' })),
  decided('forbidden by a Cedar policy', (it) => aboutParams(it, { currency: 'CHF' })),
  decided('parameters outside the schema', (it) => aboutParams(it, { memo: 'thanks' })),
  decided('less sure than it must be', ({ payload }) => {
    return { ...payload, proposal: { ...payload.proposal, confidence: 0.1 } }
  }),
  decided('a policy that nobody asked', ({ payload }) => {
    const trace = linesOf(payload).map((line) => {
      if (line.stage !== 'policy') return line
      return { ...line, policies: (line.policies as readonly JsonObject[]).slice(0, 1) }
    })
    return { ...payload, trace }
  }),
  decided('an agent that was suspended', ({ payload }) => {
    return withFacts(payload, { agent: { maintenance: false, status: 'SUSPENDED' } })
  }),
  decided('an agent in maintenance', ({ payload }) => {
    return withFacts(payload, { agent: { maintenance: true, status: 'ACTIVE' } })
  }),
  decided('a budget that was used up', ({ payload }) => {
    const { budgets } = payload.facts as { readonly budgets: readonly JsonObject[] }
    const spent = budgets.map((row) => ({ ...row, used: row.granted ?? '0' }))
    return withFacts(payload, { budgets: spent })
  }),
  decided('another mission', ({ payload }) => {
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

function decided(name: string, change: (decision: Decision) => JsonObject): Forgery {
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

function withFacts(payload: JsonObject, changed: JsonObject): JsonObject {
  return { ...payload, facts: { ...(payload.facts as JsonObject), ...changed } }
}
