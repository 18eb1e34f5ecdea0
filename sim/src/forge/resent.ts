/** What is sent again, or later than it was decided, though it would not be allowed then. */
import { formatInstant, type JsonObject, parseInstant } from 'rubicon-kernel'
import type { Rng } from '../rng.ts'
import { carryOutsIn, resendsIn, type Signed, withBody } from './desk-entries.ts'
import type { ForgedEntry, ForgedLedger } from './forged-ledger.ts'
import { linesOf } from './forged-params.ts'
import type { Detector, Forgery } from './forgery.ts'
import { halfDone, suspendAround } from './stopped.ts'

const DAY_MS = 86_400_000

export const RESENT: readonly Forgery[] = [
  resent('sent again after its end', ['verifiers'], (it) => {
    return withBody(it, { send_before: it.envelope.at })
  }),
  resent('sent again with an end of tomorrow', ['verifiers', 'law'], (it) => {
    return withBody(it, { send_before: after(it.envelope.at, DAY_MS) })
  }),
  resent('sent again on facts of tomorrow', ['verifiers'], (it) => {
    return withFacts(it, { now: after(it.envelope.at, DAY_MS) })
  }),
  resent('sent again in maintenance', ['verifiers', 'law'], (it) => {
    return withFacts(it, { agent: { status: 'ACTIVE', maintenance: true } })
  }),
  resent('sent again though its agent was suspended', ['law'], (it) => {
    return withFacts(it, { agent: { status: 'SUSPENDED', maintenance: false } })
  }),
  resent('sent again though its budget was used up', ['law'], (it) => withFacts(it, usedUp(it))),
  resent('sent again for another reason', ['verifiers'], (it) => {
    const why = it.payload.body.why === 'same_key' ? 'not_applied' : 'same_key'
    return withBody(it, { why })
  }),
  resent('sent again, and miscounted', ['verifiers'], (it) => withBody(it, { send: 4 })),
  resent('sent again, and a stage left out', ['verifiers', 'law'], (it) => {
    return { ...it.payload, trace: linesOf(it.payload).slice(1) }
  }),
  resent('sent again, and a stage says what it did not', ['law'], (it) => {
    const trace = linesOf(it.payload).map((line): JsonObject => {
      return line.stage === 'preconditions' ? { ...line, measures: { weight: '1' } } : line
    })
    return { ...it.payload, trace }
  }),
  forged('sent again after it was applied', ['verifiers'], (ledger, rng) => {
    const it = rng.pick(resendsIn(ledger))
    const applied = ledger.entries.find(({ envelope, payload }) => {
      return envelope.kind === 'commit' && payload?.intent_id === it.payload.body.intent_id
    })
    if (applied === undefined) throw new Error('it was applied')
    const payload = withBody(it, { send: Number(it.payload.body.send) + 1 })
    ledger.insertAfter(applied, { ...it, payload, touched: true })
  }),
  forged('half a job is left, and another is sent again', ['verifiers'], (ledger, rng) => {
    const it = rng.pick(resendsIn(ledger))
    ledger.insertBefore(it, halfDone(it))
  }),
  forged('an agent is suspended, and something is sent again', ['verifiers'], (ledger, rng) => {
    const it = rng.pick(resendsIn(ledger))
    const { flow } = it.payload.facts as { readonly flow: { readonly agent_id: string } }
    suspendAround(ledger, flow.agent_id, it)
  }),
  carriedOut('carried out though its agent was suspended', ['law'], (it) => {
    return withFacts(it, { agent: { status: 'SUSPENDED', maintenance: false } })
  }),
  carriedOut('carried out though its budget was used up', ['law'], (it) => {
    return withFacts(it, usedUp(it))
  }),
  carriedOut('carried out on facts of tomorrow', ['verifiers'], (it) => {
    return withFacts(it, { now: after(it.envelope.at, 1) })
  }),
]

function forged(
  name: string,
  detectors: readonly Detector[],
  forge: (ledger: ForgedLedger, rng: Rng) => void,
): Forgery {
  return { name, of: 'desk', detectors, forge }
}

function resent(
  name: string,
  detectors: readonly Detector[],
  change: (resend: Signed) => JsonObject,
): Forgery {
  return forged(name, detectors, (ledger, rng) => {
    const it = rng.pick(resendsIn(ledger))
    ledger.change(it, change(it))
  })
}

function carriedOut(
  name: string,
  detectors: readonly Detector[],
  change: (dispatch: ForgedEntry) => JsonObject,
): Forgery {
  return forged(name, detectors, (ledger, rng) => {
    const it = rng.pick(carryOutsIn(ledger))
    ledger.change(it, change(it))
  })
}

function withFacts({ payload }: ForgedEntry, changed: JsonObject): JsonObject {
  return { ...payload, facts: { ...(payload?.facts as JsonObject), ...changed } }
}

function usedUp({ payload }: ForgedEntry): JsonObject {
  const facts = (payload?.facts ?? {}) as JsonObject
  const budgets = (facts.budgets ?? []) as readonly JsonObject[]
  return { budgets: budgets.map((row) => ({ ...row, used: row.granted ?? '0' })) }
}

function after(at: string, ms: number): string {
  return formatInstant((parseInstant(at) ?? 0) + ms)
}
