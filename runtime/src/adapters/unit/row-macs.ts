/**
 * Rows that follow from no entry carry a code that only the key beside the signing keys can make. It is the
 * last member of the stored text, so that views read the other members as before.
 *
 * M1 the code covers tenant, kind, group, key, version and body: no row can stand in for another.
 * M2 a row of a kept kind without a code that fits is not believed (`STORE_DIVERGED`).
 * M3 of the same digest another part, which is never stored, is what the sum over all rows is made of: rows
 *    that are put back or taken away change it, whatever codes they have.
 */
import { base64 } from 'rubicon-kernel'
import type { RecordBodies, RecordKind, RecordRef } from '../../ports/record.ts'
import type { RowKeeper } from '../../ports/row-keeper.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'

/** What no decision, no identity and no clock rests on; or what is folded from the ledger: holds. */
const UNKEPT: ReadonlySet<RecordKind> = new Set<RecordKind>([
  'lock',
  'memory',
  'http_reply',
  'http_reply_due',
  'notice',
  'escalation_claim',
  'noted_flow',
  'artifact_word',
  'artifact_totals',
  'leaf_block',
])

const CODE_BYTES = 16
const BEFORE = ',"~":"'
const CODE_LENGTH = 24
const SUFFIX_LENGTH = BEFORE.length + CODE_LENGTH + '"}'.length
/** How many rows that were found good are remembered. */
const MOST_KNOWN = 4096

export type KeptRow = RecordRef & { readonly version: number; readonly text: string }

export class RowMacs {
  readonly #tenant: string
  readonly #keeper: RowKeeper
  /** The stored text of rows that were found good; facts are read with every decision. */
  #known: Map<string, string> = new Map()

  constructor(tenant: string, keeper: RowKeeper) {
    this.#tenant = tenant
    this.#keeper = keeper
  }

  /** The text to store. */
  encode(ref: RecordRef & { readonly version: number }, body: string): string {
    const code = codeOf(this.#digest(ref, body))
    return `${body.slice(0, -1)}${BEFORE}${code}"}`
  }

  /** Throws a `StoreDiverged` where it is not one that this runtime wrote. */
  check(row: KeptRow): void {
    const name = `${row.record}\0${row.group}\0${row.key}`
    const seen = `${row.version} ${row.text}`
    if (this.#known.get(name) === seen) return
    this.share(row)
    if (this.#known.size >= MOST_KNOWN) this.#known = new Map()
    this.#known.set(name, seen)
  }

  /** Its part of the sum, if its code fits. */
  share(row: KeptRow): Uint8Array {
    const digest = this.#digest(row, bodyOf(row.text))
    if (row.text.slice(-SUFFIX_LENGTH) !== `${BEFORE}${codeOf(digest)}"}`) throw notOurs(row)
    return digest.subarray(CODE_BYTES, CODE_BYTES + 32)
  }

  #digest({ record, group, key, version }: Omit<KeptRow, 'text'>, body: string): Uint8Array {
    const name = JSON.stringify([this.#tenant, record, group, key, version])
    return this.#keeper.digest(`${name}${body}`)
  }
}

export function isKept(record: RecordKind): boolean {
  return !UNKEPT.has(record)
}

export function encodeRecord(
  ref: RecordRef & { readonly version: number },
  body: RecordBodies[RecordKind],
  macs: RowMacs | null,
): string {
  const text = JSON.stringify(body)
  return macs === null || !isKept(ref.record) ? text : macs.encode(ref, text)
}

/** The body as it was given, whether it carries a code or not. */
export function bodyOf(text: string): string {
  const isCoded = text.startsWith(BEFORE, text.length - SUFFIX_LENGTH)
  return isCoded ? `${text.slice(0, -SUFFIX_LENGTH)}}` : text
}

function codeOf(digest: Uint8Array): string {
  return base64(digest.subarray(0, CODE_BYTES))
}

function notOurs({ record, group, key }: RecordRef): StoreDiverged {
  return new StoreDiverged(`record \`${record} ${group} ${key}\``, 'this runtime did not write it')
}

/** A sum of 32-byte parts, in any order; it is taken back to what was durable when a batch fails. */
export class RowSum {
  #settled: Uint32Array
  #sum: Uint32Array

  constructor(parts: Iterable<Uint8Array>) {
    this.#sum = new Uint32Array(8)
    for (const part of parts) this.change(part, 1)
    this.#settled = this.#sum.slice()
  }

  change(part: Uint8Array, sign: 1 | -1): void {
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
    for (let i = 0; i < 8; i++) {
      // Lanes wrap by themselves: each is a sum modulo 2^32 of parts that nobody can choose.
      this.#sum[i] = (this.#sum[i] ?? 0) + sign * view.getUint32(i * 4)
    }
  }

  get hasChanged(): boolean {
    return this.#sum.some((lane, i) => lane !== this.#settled[i])
  }

  get text(): string {
    const bytes = new Uint8Array(32)
    const view = new DataView(bytes.buffer)
    for (const [i, lane] of this.#sum.entries()) view.setUint32(i * 4, lane)
    return base64(bytes)
  }

  settle(): void {
    this.#settled = this.#sum.slice()
  }

  forget(): void {
    this.#sum = this.#settled.slice()
  }
}
