/**
 * A ledger in the hands of somebody who holds the runtime's keys: entries can be changed, added and
 * taken out, and everything above them (addresses, signatures of the kernel, chain, tree, checkpoint)
 * is made good again. What still tells it from an honest one is that it breaks the law.
 */
import {
  type Address,
  AUTHORITY,
  computeAddress,
  computeEntryId,
  type Envelope,
  formatEnvelope,
  hashPayload,
  type JsonObject,
  type JsonValue,
  type KeyPurpose,
  type LedgerHeader,
  parseCheckpoint,
  parseNote,
  toCanonicalText,
} from 'rubicon-kernel'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import { signDocument } from '../../../runtime/src/engine/rows/sign.ts'
import type { Signer } from '../../../runtime/src/ports/signer.ts'
import { signTreeNote } from './tree-note.ts'

export type ForgedEntry = {
  readonly envelope: Envelope
  readonly payload: JsonObject | null
  /** Its decision was changed: addresses and signature in it are made anew. */
  readonly touched?: boolean
}

/** It stood nowhere before. */
const NEW = -1

export class ForgedLedger {
  readonly #header: LedgerHeader
  readonly entries: ForgedEntry[]

  constructor(header: LedgerHeader, entries: readonly ForgedEntry[]) {
    this.#header = header
    this.entries = [...entries]
  }

  static parse(lines: readonly string[]): ForgedLedger {
    const [header = '', ...entries] = lines
    return new ForgedLedger(
      JSON.parse(header) as LedgerHeader,
      entries.map((line) => JSON.parse(line) as ForgedEntry),
    )
  }

  copy(): ForgedLedger {
    return new ForgedLedger(this.#header, this.entries)
  }

  change(entry: ForgedEntry, payload: JsonObject): void {
    this.entries[this.entries.indexOf(entry)] = { ...entry, payload, touched: true }
  }

  /** Behind an entry, at its time. */
  insertAfter(entry: ForgedEntry, ...made: readonly ForgedEntry[]): void {
    const { at } = entry.envelope
    const placed = made.map((one) => ({ ...one, envelope: { ...one.envelope, at, seq: NEW } }))
    this.entries.splice(this.entries.indexOf(entry) + 1, 0, ...placed)
  }

  insertBefore(entry: ForgedEntry, ...made: readonly ForgedEntry[]): void {
    const { at } = entry.envelope
    const placed = made.map((one) => ({ ...one, envelope: { ...one.envelope, at, seq: NEW } }))
    this.entries.splice(this.entries.indexOf(entry), 0, ...placed)
  }

  /** An authority entry in front of another entry. What is sent later cites one more. */
  insertAuthorityBefore(entry: ForgedEntry, kind: Envelope['kind'], body: JsonObject): void {
    const at = this.entries.indexOf(entry)
    const last = this.entries.slice(0, at).findLast(({ envelope }) => isAuthority(envelope))
    if (last === undefined) throw new Error('a ledger begins with authority')
    const envelope = { ...last.envelope, kind, at: entry.envelope.at, seq: NEW }
    const payload = { body, signature: {} }
    const later = this.entries.slice(at).map((one): ForgedEntry => {
      const { authority_seq: seq } = one.envelope
      if (seq === undefined) return one
      return { ...one, envelope: { ...one.envelope, authority_seq: seq + 1 } }
    })
    this.entries.splice(at, this.entries.length, { envelope, payload, touched: true }, ...later)
  }

  remove(entry: ForgedEntry): void {
    this.entries.splice(this.entries.indexOf(entry), 1)
  }

  /** The file, with everything that can be made good made good. */
  async seal(signer: Signer): Promise<string> {
    const renamed = new Map<string, string>()
    const heads = new Map<string, { readonly seq: number; readonly id: Address }>()
    const lines: string[] = []
    const ids: Address[] = []
    const places = this.#computePlaces()
    for (const { envelope, payload, touched } of this.entries) {
      const read = payload === null ? null : replace(rename(payload, renamed), places)
      const isOther = touched === true || read !== payload
      const made =
        read !== null && isOther ? await signAgain(envelope.kind, read, signer, renamed) : read
      const text = made === null ? null : toCanonicalText(made)
      const head = heads.get(envelope.trajectory)
      const placed: Envelope = {
        ...envelope,
        seq: head === undefined ? 0 : head.seq + 1,
        parent: head === undefined ? envelope.parent : head.id,
        payload_hash: text === null ? envelope.payload_hash : hashPayload(text, sha256),
      }
      const id = computeEntryId(placed, sha256)
      heads.set(envelope.trajectory, { seq: placed.seq, id })
      ids.push(id)
      lines.push(
        `{"envelope":${formatEnvelope(placed)},"id":"${id}","payload":${text ?? 'null'}}\n`,
      )
    }
    const checkpoint = await this.#createCheckpointNote(ids, signer)
    const header = toCanonicalText({ ...this.#header, checkpoint })
    return `${header}\n${lines.join('')}`
  }

  /** Where an entry stands by now, by where it stood. */
  #computePlaces(): Places {
    const places = new Map<string, number>()
    const sizes = new Map<string, number>()
    for (const { envelope } of this.entries) {
      const { trajectory, seq } = envelope
      const next = sizes.get(trajectory) ?? 0
      sizes.set(trajectory, next + 1)
      const before = `${trajectory} ${seq}`
      if (!places.has(before)) places.set(before, next)
    }
    return places
  }

  #createCheckpointNote(ids: readonly Address[], signer: Signer): Promise<string> {
    const parsed = parseNote(this.#header.checkpoint)
    const origin = parsed.ok ? parseCheckpoint(parsed.value.body)?.origin : undefined
    if (origin === undefined) throw new Error('a ledger has a checkpoint')
    return signTreeNote(origin, ids, signer)
  }
}

type Places = ReadonlyMap<string, number>

/** What names a place in the ledger names the one where that entry stands by now. */
function replace(payload: JsonObject, places: Places): JsonObject {
  const findMovedPlace = (place: JsonValue | undefined): JsonObject | null => {
    const { trajectory, seq } = (place ?? {}) as JsonObject
    const now = places.get(`${trajectory} ${seq}`)
    return now === undefined || now === seq ? null : { trajectory: String(trajectory), seq: now }
  }
  const accepted = findMovedPlace(payload.accepted)
  const body = (payload.body ?? {}) as JsonObject
  const first = findMovedPlace(body.first)
  if (accepted === null && first === null) return payload
  return {
    ...payload,
    ...(accepted === null ? {} : { accepted }),
    ...(first === null ? {} : { body: { ...body, first } }),
  }
}

/** Addresses that were made anew are called by their new names wherever they stand. */
function rename(payload: JsonObject, renamed: ReadonlyMap<string, string>): JsonObject {
  if (renamed.size === 0) return payload
  const text = toCanonicalText(payload)
  const named = [...renamed].reduce((all, [from, to]) => all.replaceAll(from, to), text)
  return named === text ? payload : (JSON.parse(named) as JsonObject)
}

function isAuthority({ trajectory }: Envelope): boolean {
  return trajectory === AUTHORITY
}

async function signAtomAgain(
  payload: JsonObject,
  signer: Signer,
  renamed: Map<string, string>,
): Promise<JsonObject> {
  const { atom_id: before, kernel_signature: _, ...body } = payload.atom as JsonObject
  const atom = { ...body, atom_id: computeAddress('atom', body, sha256) }
  if (before !== atom.atom_id) renamed.set(String(before), atom.atom_id)
  const signing = { signer, authorities: null }
  const kernel_signature = await signDocument(signing, 'kernel', 'atom', atom)
  return { ...payload, atom: { ...atom, kernel_signature } }
}

/** With the signature that its kind has, by whichever of the keys has to give it. */
async function signAgain(
  kind: Envelope['kind'],
  payload: JsonObject,
  signer: Signer,
  renamed: Map<string, string>,
): Promise<JsonObject> {
  const signPayload = async (purpose: KeyPurpose, body: JsonObject): Promise<JsonObject> => {
    const signature = await signDocument({ signer, authorities: null }, purpose, kind, body)
    return { ...payload, body, signature: signature }
  }
  const { body, facts, trace, vouched_by } = payload
  if (kind === 'approval') return signPayload(vouched_by as KeyPurpose, body as JsonObject)
  if (kind === 'lifecycle') return signPayload('operator', body as JsonObject)
  if (kind === 'contract') return signPayload('kernel', body as JsonObject)
  if (kind === 'evidence' && payload.atom !== undefined)
    return signAtomAgain(payload, signer, renamed)
  if (kind !== 'resend')
    return facts === undefined ? payload : signIntentAgain(payload, signer, renamed)
  const hashes = {
    facts_hash: computePartAddress('facts', facts),
    policy_trace_hash: computePartAddress('trace', trace),
  }
  return signPayload('kernel', { ...(body as JsonObject), ...hashes })
}

function computePartAddress(type: string, value: JsonValue | undefined): Address {
  return computeAddress(type, value ?? null, sha256)
}

/** The addresses in a decision, the intent that stands on them, and the kernel's signature. */
async function signIntentAgain(
  payload: JsonObject,
  signer: Signer,
  renamed: Map<string, string>,
): Promise<JsonObject> {
  const { facts, trace, proposal, intent } = payload
  const facts_hash = facts === undefined ? undefined : computePartAddress('facts', facts)
  const known = facts_hash === undefined ? payload : { ...payload, facts_hash }
  if (intent === undefined) return known
  const { intent_id, kernel_signature: _, ...before } = intent as JsonObject
  const body: JsonObject = {
    ...before,
    ...(facts_hash === undefined ? {} : { facts_hash }),
    ...(trace === undefined ? {} : { policy_trace_hash: computePartAddress('trace', trace) }),
    ...(proposal === undefined ? {} : { proposal_hash: computePartAddress('proposal', proposal) }),
  }
  const id = computeAddress('intent', body, sha256)
  for (const [name, value] of Object.entries(body))
    if (name.endsWith('_hash') && value !== before[name])
      renamed.set(String(before[name]), String(value))
  renamed.set(String(intent_id), id)
  const named = { ...body, intent_id: id }
  const kernel_signature = await signDocument(
    { signer, authorities: null },
    'kernel',
    'intent',
    named,
  )
  return { ...known, intent: { ...named, kernel_signature } }
}
