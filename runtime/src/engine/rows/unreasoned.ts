import { type Failure, isBlank } from 'rubicon-kernel'

/** Null: somebody can read why. `what` is done for ever, or lifts something; both stand on a person's word. */
export function checkReason(reason: string, what: string): Failure | null {
  if (!isBlank(reason) && reason.isWellFormed()) return null
  return {
    code: 'JUSTIFICATION_REQUIRED',
    summary: `${what} has to give a reason`,
    why: 'blank or invisible characters are not a reason: the record must show why it was done',
    fix: 'give a reason: the ledger keeps it',
  }
}
