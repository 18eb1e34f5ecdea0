import { entryId, payloadHash, type Sha256 } from 'rubicon-kernel'
import type { ReadEntry } from './read-entry.ts'
import type { Problem } from './report.ts'

/** Is the entry what it says it is: does the id fit the envelope, and the hash the payload? */
export function verifyEntry(entry: ReadEntry, sha256: Sha256): readonly Problem[] {
  const { envelope, id, payloadText } = entry
  const problems: Problem[] = []
  if (entryId(envelope, sha256) !== id) {
    problems.push({ code: 'ENTRY_ID', detail: 'the id is not the address of the envelope' })
  }
  if (payloadText !== null && payloadHash(payloadText, sha256) !== envelope.payload_hash) {
    problems.push({ code: 'PAYLOAD_HASH', detail: 'the payload is not what its hash says' })
  }
  return problems
}
