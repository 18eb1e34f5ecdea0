import type { Address } from '../canonical/address.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { ENTRY_KINDS, type Envelope, isSend, PROTOCOL_VERSION } from '../ledger/entry.ts'
import { err, ok, type Result } from '../result.ts'
import { PAYLOAD_KINDS } from './payload-shape.ts'
import {
  address,
  count,
  createEnumShape,
  createExactShape,
  createNullableShape,
  identifier,
  instant,
  object,
  type Shapes,
} from './shape.ts'

/** An entry as a file carries it: the payload is in the line, not beside it. */
export type ExportedEntry = {
  readonly envelope: Envelope
  readonly id: Address
  readonly payload: JsonObject | null
}

const envelopeMembers = {
  at: instant,
  kind: createEnumShape(PAYLOAD_KINDS),
  parent: createNullableShape(address),
  payload_hash: address,
  seq: count,
  tenant: identifier,
  trajectory: identifier,
  v: createEnumShape([PROTOCOL_VERSION]),
}
const sendEnvelope = createExactShape(
  { ...envelopeMembers, authority_seq: count },
  { dfid: identifier },
)
const SENDS: readonly JsonValue[] = ENTRY_KINDS.filter(isSend)
const otherEnvelope = createExactShape(envelopeMembers, { dfid: identifier })

/** What is sent says which authority it saw; nothing else does. */
export function checkEnvelopeShape(value: JsonValue): string | undefined {
  const isSent = isObject(value) && SENDS.includes(value.kind ?? null)
  return isSent ? sendEnvelope(value) : otherEnvelope(value)
}

export const entryMembers: Shapes = {
  envelope: checkEnvelopeShape,
  id: address,
  payload: createNullableShape(object),
}

const entryShape = createExactShape(entryMembers)

export function parseExportedEntry(value: JsonValue): Result<ExportedEntry, string> {
  const problem = entryShape(value)
  if (problem !== undefined) return err(`entry ${problem}`)
  // The shape above is this type, written once more as checks.
  return ok(value as ExportedEntry)
}
