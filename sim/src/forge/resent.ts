/** What is sent again, or later than it was decided, though it would not be allowed then. */
import { formatInstant, type JsonObject, parseInstant } from 'rubicon-kernel'
import type { Rng } from '../rng.ts'
import { carryOutsIn, listResends, replaceBody, type Signed } from './desk-entries.ts'
import type { ForgedEntry, ForgedLedger } from './forged-ledger.ts'
import { getTraceLines } from './forged-params.ts'
import type { Detector, Forgery } from './forgery.ts'
import { buildHalfDoneEntry, suspendAround } from './stopped.ts'

const DAY_MS = 86_400_000

export const RESENT: readonly Forgery[] = [
  forgeResend('sent again after its end', ['verifiers'], (it) => {
    return replaceBody(it, { send_before: it.envelope.at })
  }),
  forgeResend('sent again with an end of tomorrow', ['verifiers', 'law'], (it) => {
    return replaceBody(it, { send_before: addMs(it.envelope.at, DAY_MS) })
  }),
  forgeResend('sent again on facts of tomorrow', ['verifiers'], (it) => {
    return replaceFacts(it, { now: addMs(it.envelope.at, DAY_MS) })
  }),
  forgeResend('sent again in maintenance', ['verifiers', 'law'], (it) => {
    return replaceFacts(it, { agent: { status: 'ACTIVE', maintenance: true } })
  }),
  forgeResend('sent again though its agent was suspended', ['law'], (it) => {
    return replaceFacts(it, { agent: { status: 'SUSPENDED', maintenance: false } })
  }),
  forgeResend('sent again though its budget was used up', ['law'], (it) =>
    replaceFacts(it, buildSpentBudgets(it)),
  ),
  forgeResend('sent again for another reason', ['verifiers'], (it) => {
    const why = it.payload.body.why === 'same_key' ? 'not_applied' : 'same_key'
    return replaceBody(it, { why })
  }),
  forgeResend('sent again, and miscounted', ['verifiers'], (it) => replaceBody(it, { send: 4 })),
  forgeResend('sent again, and a stage left out', ['verifiers', 'law'], (it) => {
    return { ...it.payload, trace: getTraceLines(it.payload).slice(1) }
  }),
  forgeResend('sent again, and a stage says what it did not', ['law'], (it) => {
    const trace = getTraceLines(it.payload).map((line): JsonObject => {
      return line.stage === 'preconditions' ? { ...line, measures: { weight: '1' } } : line
    })
    return { ...it.payload, trace }
  }),
  createForgery('sent again after it was applied', ['verifiers'], (ledger, rng) => {
    const it = rng.pick(listResends(ledger))
    const applied = ledger.entries.find(({ envelope, payload }) => {
      return envelope.kind === 'commit' && payload?.intent_id === it.payload.body.intent_id
    })
    if (applied === undefined) throw new Error('it was applied')
    const payload = replaceBody(it, { send: Number(it.payload.body.send) + 1 })
    ledger.insertAfter(applied, { ...it, payload, touched: true })
  }),
  createForgery('half a job is left, and another is sent again', ['verifiers'], (ledger, rng) => {
    const it = rng.pick(listResends(ledger))
    ledger.insertBefore(it, buildHalfDoneEntry(it))
  }),
  createForgery(
    'an agent is suspended, and something is sent again',
    ['verifiers'],
    (ledger, rng) => {
      const it = rng.pick(listResends(ledger))
      const { flow } = it.payload.facts as { readonly flow: { readonly agent_id: string } }
      suspendAround(ledger, flow.agent_id, it)
    },
  ),
  forgeCarryOut('carried out though its agent was suspended', ['law'], (it) => {
    return replaceFacts(it, { agent: { status: 'SUSPENDED', maintenance: false } })
  }),
  forgeCarryOut('carried out though its budget was used up', ['law'], (it) => {
    return replaceFacts(it, buildSpentBudgets(it))
  }),
  forgeCarryOut('carried out on facts of tomorrow', ['verifiers'], (it) => {
    return replaceFacts(it, { now: addMs(it.envelope.at, 1) })
  }),
]

function createForgery(
  name: string,
  detectors: readonly Detector[],
  forge: (ledger: ForgedLedger, rng: Rng) => void,
): Forgery {
  return { name, of: 'desk', detectors, forge }
}

function forgeResend(
  name: string,
  detectors: readonly Detector[],
  change: (resend: Signed) => JsonObject,
): Forgery {
  return createForgery(name, detectors, (ledger, rng) => {
    const it = rng.pick(listResends(ledger))
    ledger.change(it, change(it))
  })
}

function forgeCarryOut(
  name: string,
  detectors: readonly Detector[],
  change: (dispatch: ForgedEntry) => JsonObject,
): Forgery {
  return createForgery(name, detectors, (ledger, rng) => {
    const it = rng.pick(carryOutsIn(ledger))
    ledger.change(it, change(it))
  })
}

function replaceFacts({ payload }: ForgedEntry, changed: JsonObject): JsonObject {
  return { ...payload, facts: { ...(payload?.facts as JsonObject), ...changed } }
}

function buildSpentBudgets({ payload }: ForgedEntry): JsonObject {
  const facts = (payload?.facts ?? {}) as JsonObject
  const budgets = (facts.budgets ?? []) as readonly JsonObject[]
  return { budgets: budgets.map((row) => ({ ...row, used: row.granted ?? '0' })) }
}

function addMs(at: string, ms: number): string {
  return formatInstant((parseInstant(at) ?? 0) + ms)
}
