/**
 * Where every trajectory ends in the tree, and how far the batches of each process have come, as this
 * process knows it: read once, from then on only what it placed itself or took up under a head that holds.
 *
 * Invariants:
 * 1. An entry gets its place only right behind the one that it is chained to, so none twice and none
 *    left out.
 * 2. Under one authority entry stands what was written under it, and nothing else (tree-order.ts).
 * 3. What was added counts after `settle`; `forget` takes it back.
 */
import { type Address, AUTHORITY, computeEntryId, type Envelope, type Sha256 } from 'rubicon-kernel'
import { SealMismatch } from '../../ports/head-mismatch.ts'
import type { Batch, SealedEntry } from './whole-batches.ts'

export type End = { readonly seq: number; readonly id: Address }

type Placed = { readonly id: Address; readonly envelope: Envelope }

export class TrajectoryEnds {
  readonly #sha256: Sha256
  /** How many leaves there were when it was read. */
  readonly since: number
  readonly #ends: SettledMap<End>
  /** The last batch of each head key. */
  readonly #batches: SettledMap<number>

  constructor(ends: ReadonlyMap<string, End>, since: number, sha256: Sha256) {
    this.#ends = new SettledMap(ends)
    this.#batches = new SettledMap(new Map())
    this.since = since
    this.#sha256 = sha256
  }

  findEnd(trajectory: string): End | null {
    return this.#ends.get(trajectory) ?? null
  }

  /** To be placed next, in this order. Throws a `SealMismatch`. */
  advanceEnds(entries: readonly SealedEntry[], batches: readonly Batch[]): void {
    for (const { keyId, body } of batches) {
      if (body.batch <= (this.#batches.get(keyId) ?? -1))
        throw new SealMismatch(`a batch of \`${keyId}\` comes behind a later one`)
      this.#batches.set(keyId, body.batch)
    }
    for (const entry of entries) {
      this.add(entry)
      if (entry.authority !== (this.#ends.get(AUTHORITY)?.seq ?? -1))
        throw new SealMismatch(`the entry \`${entry.id}\` was written under another authority`)
    }
  }

  /** It has its place, behind all others of its trajectory. */
  add({ id, envelope }: Placed): void {
    const { trajectory, seq, parent } = envelope
    const end = this.#ends.get(trajectory)
    if (computeEntryId(envelope, this.#sha256) !== id)
      throw new SealMismatch(`the id \`${id}\` does not fit its envelope`)
    if (seq !== (end?.seq ?? -1) + 1 || (end !== undefined && parent !== end.id))
      throw new SealMismatch(`the entry \`${id}\` does not follow the last of \`${trajectory}\``)
    this.#ends.set(trajectory, { seq, id })
  }

  settle(): void {
    this.#ends.settle()
    this.#batches.settle()
  }

  forget(): void {
    this.#ends.forget()
    this.#batches.forget()
  }
}

class SettledMap<V> {
  readonly #settled: Map<string, V>
  readonly #changed: Map<string, V> = new Map()

  constructor(settled: ReadonlyMap<string, V>) {
    this.#settled = new Map(settled)
  }

  get(key: string): V | undefined {
    return this.#changed.get(key) ?? this.#settled.get(key)
  }

  set(key: string, value: V): void {
    this.#changed.set(key, value)
  }

  settle(): void {
    for (const [key, value] of this.#changed) this.#settled.set(key, value)
    this.#changed.clear()
  }

  forget(): void {
    this.#changed.clear()
  }
}
