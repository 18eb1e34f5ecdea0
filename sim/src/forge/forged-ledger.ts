/**
 * A ledger in the hands of somebody who holds the runtime's keys: entries can be changed, added and
 * taken out, and everything above them (addresses, signatures of the kernel, chain, tree, checkpoint)
 * is made good again. What still tells it from an honest one is that it breaks the law.
 */
import {
  type Address,
  address,
  canonicalText,
  type Envelope,
  entryId,
  envelopeText,
  type JsonObject,
  type JsonValue,
  type LedgerHeader,
  parseCheckpoint,
  parseNote,
  payloadHash,
} from 'rubicon-kernel'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import { signDocument } from '../../../runtime/src/engine/sign.ts'
import type { Signer } from '../../../runtime/src/ports/signer.ts'
import { treeNote } from './tree-note.ts'

export type ForgedEntry = {
  readonly envelope: Envelope
  readonly payload: JsonObject | null
  /** Its decision was changed: addresses and signature in it are made anew. */
  readonly touched?: boolean
}

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

  /** Behind an entry, in its trajectory and flow, at its time. */
  insertAfter(entry: ForgedEntry, ...made: readonly ForgedEntry[]): void {
    this.entries.splice(this.entries.indexOf(entry) + 1, 0, ...made)
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
    for (const { envelope, payload, touched } of this.entries) {
      const read = payload === null ? null : rename(payload, renamed)
      const made = read !== null && touched ? await signAgain(read, signer, renamed) : read
      const text = made === null ? null : canonicalText(made)
      const head = heads.get(envelope.trajectory)
      const placed: Envelope = {
        ...envelope,
        seq: head === undefined ? 0 : head.seq + 1,
        parent: head === undefined ? envelope.parent : head.id,
        payload_hash: text === null ? envelope.payload_hash : payloadHash(text, sha256),
      }
      const id = entryId(placed, sha256)
      heads.set(envelope.trajectory, { seq: placed.seq, id })
      ids.push(id)
      lines.push(`{"envelope":${envelopeText(placed)},"id":"${id}","payload":${text ?? 'null'}}\n`)
    }
    const checkpoint = await this.#note(ids, signer)
    const header = canonicalText({ ...this.#header, checkpoint } as unknown as JsonValue)
    return `${header}\n${lines.join('')}`
  }

  #note(ids: readonly Address[], signer: Signer): Promise<string> {
    const parsed = parseNote(this.#header.checkpoint)
    const origin = parsed.ok ? parseCheckpoint(parsed.value.body)?.origin : undefined
    if (origin === undefined) throw new Error('a ledger has a checkpoint')
    return treeNote(origin, ids, signer)
  }
}

/** Addresses that were made anew are called by their new names wherever they stand. */
function rename(payload: JsonObject, renamed: ReadonlyMap<string, string>): JsonObject {
  if (renamed.size === 0) return payload
  const text = canonicalText(payload)
  const named = [...renamed].reduce((all, [from, to]) => all.replaceAll(from, to), text)
  return named === text ? payload : (JSON.parse(named) as JsonObject)
}

/** The addresses in a decision, the intent that stands on them, and the kernel's signature. */
async function signAgain(
  payload: JsonObject,
  signer: Signer,
  renamed: Map<string, string>,
): Promise<JsonObject> {
  const { facts, trace, proposal, intent } = payload
  const hashed = (type: string, value: JsonValue | undefined): Address | undefined =>
    value === undefined ? undefined : address(type, value, sha256)
  const facts_hash = hashed('facts', facts)
  const known = facts_hash === undefined ? payload : { ...payload, facts_hash }
  if (intent === undefined) return known
  const { intent_id, kernel_signature: _, ...before } = intent as JsonObject
  const body: JsonObject = {
    ...before,
    ...(facts_hash === undefined ? {} : { facts_hash }),
    ...(trace === undefined ? {} : { policy_trace_hash: hashed('trace', trace) as string }),
    ...(proposal === undefined ? {} : { proposal_hash: hashed('proposal', proposal) as string }),
  }
  const id = address('intent', body, sha256)
  for (const [name, value] of Object.entries(body))
    if (name.endsWith('_hash') && value !== before[name])
      renamed.set(String(before[name]), String(value))
  renamed.set(String(intent_id), id)
  const named = { ...body, intent_id: id }
  const kernel_signature = await signDocument({ signer }, 'kernel', 'intent', named)
  return { ...known, intent: { ...named, kernel_signature } as unknown as JsonObject }
}
