/** Where the decision stands that an entry carries out: entries are known by `trajectory/seq`. */
import type {
  AcceptedPayload,
  CarryOutPayload,
  DecisionRecord,
  DispatchPayload,
  Position,
} from 'rubicon-kernel'
import type { Line } from './report.ts'

type Ledger = ReadonlyMap<string, Line>

export function findAcceptedPayload(
  ledger: Ledger,
  { accepted: { trajectory, seq } }: CarryOutPayload,
): AcceptedPayload | undefined {
  return ledger.get(`${trajectory}/${seq}`)?.payload as AcceptedPayload | undefined
}

/** `first`: a first dispatch; of what was accepted before, the decision stands there. */
export function findDecision(
  ledger: Ledger,
  { trajectory, seq }: Position,
): DecisionRecord | undefined {
  const first = ledger.get(`${trajectory}/${seq}`)?.payload as
    | DispatchPayload
    | CarryOutPayload
    | undefined
  return first !== undefined && 'accepted' in first ? findAcceptedPayload(ledger, first) : first
}
