/** Events of which more is carried out than may be, and proposals that lost to nobody who was before them. */
import type { JsonObject } from 'rubicon-kernel'
import type { ForgedEntry, ForgedLedger } from './forged-ledger.ts'
import type { Decision, Forgery } from './forgery.ts'

type Refusal = ForgedEntry & { readonly payload: JsonObject & { readonly details: JsonObject } }

export const PREEMPTED: readonly Forgery[] = [
  {
    name: 'two proposals of one event that share a resource are carried out',
    of: 'events',
    detectors: ['verifiers'],
    forge(ledger) {
      // The alert and the purchase of `eth` stood beside each other, since they shared nothing.
      const alert = findDecision(ledger, 'ALERT')
      const { intent } = alert.payload
      const resources = [{ id: 'eth', amount: '1' }]
      ledger.change(alert, { ...alert.payload, intent: { ...intent, resources } })
    },
  },
  {
    name: 'a child buys what another flow of the event of its parent has bought',
    of: 'events',
    detectors: ['verifiers'],
    forge(ledger) {
      const { envelope } = findChildOpening(ledger)
      const bought = findDecision(ledger, 'BUY', envelope.dfid)
      const { intent } = bought.payload
      // Its own, and all that the others of the event have bought.
      const resources = ['btc', 'gold', 'tin'].map((id) => ({ id, amount: '1' }))
      ledger.change(bought, { ...bought.payload, intent: { ...intent, resources } })
    },
  },
  forgeChild('a child hides the event of its parent', () => ({})),
  forgeChild('a child names another event than its parent', ({ entries }) => {
    const event = entries.find(({ envelope }) => envelope.kind === 'event')
    return { event_id: event?.payload?.event_id ?? '' }
  }),
  forgeLoser('a proposal loses to one that it outranks', ({ payload }) => {
    const proposal = payload.proposal as JsonObject
    return { ...payload, proposal: { ...proposal, policy_kind: 'ALERT' } }
  }),
  forgeLoser('a proposal loses to a flow that won nothing', ({ payload, envelope }) => {
    return { ...payload, details: { ...payload.details, winner: envelope.dfid ?? '' } }
  }),
  forgeLoser('a proposal is called too late before the window is over', ({ payload }) => {
    const { bid_at: _, ...details } = payload.details
    return { ...payload, details }
  }),
  {
    name: 'a flow is stopped by a HALT that nobody gave',
    of: 'events',
    detectors: ['verifiers'],
    forge(ledger) {
      const stopped = findRefusal(ledger, 'EVENT_HALTED')
      const { payload, envelope } = stopped
      const details = { ...payload.details, halted_by: envelope.dfid ?? '' }
      ledger.change(stopped, { ...payload, details })
    },
  },
]

/** What the opening says of an event is replaced. */
function forgeChild(name: string, pickEvent: (ledger: ForgedLedger) => JsonObject): Forgery {
  return {
    name,
    of: 'events',
    detectors: ['verifiers'],
    forge(ledger) {
      const opening = findChildOpening(ledger)
      const { event_id: _, ...flow } = opening.payload.flow
      const named = { ...flow, ...pickEvent(ledger) }
      ledger.change(opening, { ...opening.payload, flow: named })
    },
  }
}

function forgeLoser(name: string, change: (lost: Refusal) => JsonObject): Forgery {
  return {
    name,
    of: 'events',
    detectors: ['verifiers'],
    forge(ledger) {
      const lost = findRefusal(ledger, 'PREEMPTED')
      ledger.change(lost, change(lost))
    },
  }
}

/** The first is of the event that excludes everything. */
function findRefusal({ entries }: ForgedLedger, code: string): Refusal {
  const found = entries.find((one): one is Refusal => one.payload?.reason_code === code)
  if (found === undefined) throw new Error(`somebody is refused with ${code}`)
  return found
}

type Opening = ForgedEntry & { readonly payload: JsonObject & { readonly flow: JsonObject } }

/** Of what is delegated in an event. */
function findChildOpening({ entries }: ForgedLedger): Opening {
  const found = entries.find((one): one is Opening => {
    const flow = one.payload?.flow as JsonObject | undefined
    return flow?.parent_dfid !== undefined && flow.event_id !== undefined
  })
  if (found === undefined) throw new Error('somebody delegates')
  return found
}

/** In any flow, where none is named. */
function findDecision({ entries }: ForgedLedger, kind: string, dfid?: string): Decision {
  const found = entries.find((one): one is Decision => {
    const intent = one.payload?.intent as JsonObject | undefined
    return intent?.policy_kind === kind && (dfid === undefined || intent.dfid === dfid)
  })
  if (found === undefined) throw new Error(`${kind} is carried out`)
  return found
}
