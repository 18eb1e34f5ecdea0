/**
 * Payloads of flows as they lie in a database: what a dictionary or an earlier part of the text says already
 * is a reference to it, and hexadecimal digits take half a byte. The first byte is the number of the
 * dictionary; then come steps, each of which adds to what the dictionary begins:
 *
 *   0…95     the `tag + 1` bytes that come next
 *   96…127   the `tag - 95` bytes that come next, as hexadecimal digits
 *   128…190  a copy of `tag - 125` bytes from where the dictionary goes on
 *   191      a copy of 66 bytes and as many as the next byte says, likewise
 *   192…254  a copy of `tag - 188` bytes, from as far back as the next two bytes say
 *   255      a copy of 67 bytes and as many as the next byte says, from as far back as the two after it say
 *
 * The dictionary goes on where the last copy out of it ended, at first at its beginning: values apart, most
 * payloads follow it from one end to the other. A copy ends before the place it is written to. So a few
 * lines of SQL unpack it, and the views of both databases do. A general compressor would need 50 µs for each payload, three quarters of them to begin and
 * to end, and could be read by no view.
 *
 * P1 what is hashed, signed, shown and exported is the text; nothing but the adapters sees packed bytes.
 * P2 what is packed was unpacked again and compared before it is stored; a text that differs stays a text.
 * P3 what cannot be unpacked is an empty text: no payload hash fits it, so whoever verifies finds the entry,
 *    and nobody takes it for one that was erased.
 */
import type { EntryKind } from 'rubicon-kernel'
import { DICTIONARIES } from './dictionaries.ts'
import { packBytes, unpackBytes } from './packed-bytes.ts'
import { PackingDictionary } from './packing-dictionary.ts'

/** Shorter ones gain too little. */
const SHORTEST = 256

const OPENING = 1
const JUDGEMENT = 2
const OUTCOME = 3
const NUMBERS: Partial<Record<EntryKind, number>> = {
  writ: OPENING,
  accepted: JUDGEMENT,
  dispatch: JUDGEMENT,
  resend: JUDGEMENT,
  rejection: JUDGEMENT,
  pending_approval: JUDGEMENT,
}

export const UNREADABLE = ''

const dictionaries: ReadonlyMap<number, PackingDictionary> = new Map(
  DICTIONARIES.map((one) => [one.number, new PackingDictionary(one)]),
)

/** Null: it is stored as text. */
export function packText(text: string, kind: EntryKind): Uint8Array | null {
  const dictionary = dictionaries.get(NUMBERS[kind] ?? OUTCOME)
  if (dictionary === undefined || text.length < SHORTEST) return null
  const packed = packBytes(text, dictionary)
  return packed !== null && unpackText(packed) === text ? packed : null
}

export function unpackText(packed: Uint8Array): string {
  const dictionary = dictionaries.get(packed[0] ?? 0)
  if (dictionary === undefined) return UNREADABLE
  return unpackBytes(packed, dictionary)?.toString() ?? UNREADABLE
}
