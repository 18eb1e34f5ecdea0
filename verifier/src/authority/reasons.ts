/** What is done for ever, or lifts something, stands on a reason that somebody can read. */
import { isBlank, type ReadPayload } from 'rubicon-kernel'

export function findReasonProblems(read: ReadPayload): string[] {
  const reason = getReason(read)
  return reason !== null && isBlank(reason) ? ['it has no reason that anybody can read'] : []
}

/** Null: it needs none. */
function getReason(read: ReadPayload): string | null {
  switch (read.kind) {
    case 'lifecycle': {
      const { from, justification } = read.payload.body
      return from === 'SUSPENDED' ? justification : null
    }
    case 'anchor':
    case 'erasure':
      return read.payload.body.reason
    case 'policy': {
      const { body } = read.payload
      return 'action' in body && body.action === 'unwatch' ? body.reason : null
    }
    case 'evidence':
      return 'source' in read.payload && read.payload.source === 'review'
        ? read.payload.details.justification
        : null
    default:
      return null
  }
}
