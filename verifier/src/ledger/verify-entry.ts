import {
  type Address,
  computeAddressOfBytes,
  computeAddressOfText,
  computeEntryId,
  type Entry,
  formatEnvelope,
  hashPayload,
  type Sha256,
} from 'rubicon-kernel'
import type { AddressCheck, Question } from '../crypto/address-check.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import type { Problem } from '../report/report.ts'

const WRONG_ID: Problem = { code: 'ENTRY_ID', detail: 'the id is not the hash of the envelope' }
const WRONG_PAYLOAD: Problem = {
  code: 'PAYLOAD_HASH',
  detail: 'the payload does not match its hash',
}
const NOTHING: readonly Problem[] = []

/** Is the entry what it says it is: does the id fit the envelope, and the hash the payload? */
export function verifyEntry(entry: ReadEntry, sha256: Sha256): readonly Problem[] {
  const { envelope, id, payloadText } = entry
  const text = entry.envelopeText
  const expected =
    text === undefined
      ? computeEntryId(envelope, sha256)
      : computeAddressOfText('entry', text, sha256)
  const found =
    payloadText === null
      ? envelope.payload_hash
      : computeEntryPayloadHash(payloadText, entry, sha256)
  if (expected === id && found === envelope.payload_hash) return NOTHING
  return [
    ...(expected === id ? [] : [{ ...WRONG_ID, expected, found: id }]),
    ...(found === envelope.payload_hash
      ? []
      : [{ ...WRONG_PAYLOAD, expected: envelope.payload_hash, found }]),
  ]
}

function computeEntryPayloadHash(
  text: string,
  { payloadBytes }: ReadEntry,
  sha256: Sha256,
): Address {
  return payloadBytes === undefined
    ? hashPayload(text, sha256)
    : computeAddressOfBytes('payload', payloadBytes, sha256)
}

/** The same of many stored entries, two questions each; the answers are there when called for. */
export function verifyEntries(
  entries: readonly Entry[],
  check: AddressCheck,
): () => ReadonlyMap<Entry, readonly Problem[]> {
  const questions: Question[] = []
  for (const { envelope, id, payload } of entries) {
    questions.push({ type: 'entry', text: formatEnvelope(envelope), claimed: id })
    if (payload === null) continue
    questions.push({ type: 'payload', text: payload, claimed: envelope.payload_hash })
  }
  const answers = check.ask(questions)
  return () => {
    const given = answers().values()
    const isNext = (): boolean => given.next().value === true
    return new Map(
      entries.map((entry) => [entry, toHashProblems(isNext(), entry.payload === null || isNext())]),
    )
  }
}

function toHashProblems(isId: boolean, isPayload: boolean): readonly Problem[] {
  if (isId && isPayload) return NOTHING
  return [...(isId ? [] : [WRONG_ID]), ...(isPayload ? [] : [WRONG_PAYLOAD])]
}
