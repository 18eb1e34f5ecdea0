/** Where a reason code is said: the stages of a decision, and what stands before and behind them. */
import { REASONS, type Reason, type ReasonCode } from 'rubicon-kernel'

export type ReasonPlace = { readonly title: string; readonly stage: string }

/** Producer → where it stands, in the order in which a proposal meets them. */
export const PLACES: Readonly<Record<Reason['producer'], ReasonPlace>> = {
  queue: { title: 'The queue', stage: 'before anything is stored' },
  parser: { title: 'The parser', stage: 'before stage 1: reading the bytes' },
  proof: { title: 'Proofs', stage: 'before stage 1: the proof, where one is carried' },
  repeat: { title: 'Flow, identity and repetition', stage: 'before stage 1: flow, speaker, claim' },
  atom: { title: 'Atoms', stage: 'before stage 1: the atom, where one is named' },
  kind: { title: 'Stage 1: kind', stage: '1, kind' },
  signature: { title: 'Stage 2: signature', stage: '2, signature' },
  window: { title: 'Stage 3: window', stage: '3, window' },
  scope: { title: 'Stage 4: scope', stage: '4, scope' },
  capability: { title: 'Stage 5: capability', stage: '5, capability' },
  budget: { title: 'Stage 6: budget', stage: '6, budget' },
  arguments: { title: 'Stage 7: arguments', stage: '7, arguments' },
  preconditions: { title: 'Stage 8: preconditions', stage: '8, preconditions' },
  policy: { title: 'Stage 9: policy', stage: '9, policy' },
  emission: { title: 'Stage 10: emission', stage: '10, emission' },
  dispatch: { title: 'Dispatch', stage: 'just before the intent becomes durable or is sent' },
  arbitration: {
    title: 'Arbitration',
    stage: 'when several agents have proposed about one event, and when one halts it',
  },
  governor: {
    title: 'The governor',
    stage: 'after a refusal, a report of usage, silence, or a sweep of monitors',
  },
  escalation: {
    title: 'Escalation',
    stage: 'when somebody has to be asked, and when somebody decides',
  },
  outcome: { title: 'Outcomes', stage: 'when the effect is sent and settled' },
  registry: {
    title: 'The registry',
    stage:
      'when keys, contracts and agents are registered, when a flow is opened, and when State, notes or documents come in',
  },
  ledger: { title: 'The ledger', stage: 'when a ledger is verified or opened' },
}

/**
 * Limits of contracts are checked in stage 8, whoever may lift them. The code is classified with the
 * others that ask a person, and the hash of the law covers its class.
 */
const ELSEWHERE: Partial<Record<ReasonCode, Reason['producer']>> = {
  AUTHORITY_CEILING: 'preconditions',
}

export function getReasonPlace(code: ReasonCode): ReasonPlace {
  return PLACES[ELSEWHERE[code] ?? REASONS[code].producer]
}
