/** One way to break the law with the runtime's own keys, and who must find it. */
import type { JsonObject } from 'rubicon-kernel'
import type { Rng } from '../rng.ts'
import type { ForgedEntry, ForgedLedger } from './forged-ledger.ts'

/** `verifiers`: both of them, at every depth that they have. `law`: the law applied again. */
export type Detector = 'verifiers' | 'law'

/** The honest ledger that it is made of. */
export type LedgerName = 'payments' | 'desk' | 'half jobs' | 'proofs' | 'atoms' | 'events'

export type Forgery = {
  readonly name: string
  readonly of: LedgerName
  readonly detectors: readonly Detector[]
  /** Changes one thing in the ledger. */
  forge(ledger: ForgedLedger, rng: Rng): void
}

export type Decision = ForgedEntry & {
  readonly payload: JsonObject & { readonly intent: JsonObject; readonly proposal: JsonObject }
}

/** An intent that was carried out, in the entry that it stands in. */
export function pickDecision(
  { entries }: ForgedLedger,
  rng: Rng,
  isMeant: (payload: Decision['payload']) => boolean = () => true,
): Decision {
  const committed = new Set(entries.map((entry) => getCommittedIntentId(entry)))
  return rng.pick(
    entries.filter((entry): entry is Decision => {
      const intent = entry.payload?.intent as JsonObject | undefined
      const isCommitted = intent !== undefined && committed.has(String(intent.intent_id))
      return isCommitted && isMeant(entry.payload as Decision['payload'])
    }),
  )
}

function getCommittedIntentId({ envelope, payload }: ForgedEntry): string {
  return envelope.kind === 'commit' ? String(payload?.intent_id) : ''
}

export function getCommit({ entries }: ForgedLedger, { payload }: Decision): ForgedEntry {
  const found = entries.find((entry) => getCommittedIntentId(entry) === payload.intent.intent_id)
  if (found === undefined) throw new Error('it was committed')
  return found
}

/** The entry that sent it: its own, or where it was accepted the dispatch that came after. */
export function dispatchOf({ entries }: ForgedLedger, decision: Decision): ForgedEntry {
  const { intent_id } = decision.payload.intent
  const later = entries.find(({ envelope, payload }) => {
    return envelope.kind === 'dispatch' && payload?.intent_id === intent_id
  })
  return later ?? decision
}
