/** The tree of a ledger as its store keeps it, and who signs what it becomes. */
import type { Address, HeadedTree, Result, SealBody, SealedBatch } from 'rubicon-kernel'

/** The tree over everything that has its place, and the signed head that stands for it. */
export type StoredTree = HeadedTree & { readonly head: string | null }

/**
 * Signs heads and checks them, at once: a transaction cannot wait for a signature, and nothing may
 * come between a tree and its head.
 */
export interface HeadKeeper {
  sign(tree: HeadedTree): string
  /** The transaction that a head was signed in is durable. Must not fail. */
  keep(head: string): void
  /** What is wrong with a head that is to stand for this tree; undefined: nothing. */
  findHeadProblem(head: string | null, tree: HeadedTree): string | undefined
  /** Vouches for a batch whose entries get their places later, perhaps by another process. */
  seal(batch: SealedBatch): StoredSeal
  /** What a text says that stands where a seal should; in words, why it is none of this log. */
  openSeal(text: string): Result<OpenedSeal, string>
  /** Reads again whose certificates count: keys are added and compromised while others run. */
  learn(): Promise<void>
}

/** What a process says of a batch that it writes, and by which key. */
export type OpenedSeal = { readonly keyId: string; readonly body: SealBody }

/** The same as it is stored. */
export type StoredSeal = OpenedSeal & { readonly text: string }

/**
 * Where others write too: places what waits, and says what a trajectory ends with then, by the tree that was
 * signed and not by rows that anybody could have changed. Null: it has no entry.
 */
export type LastPlaced = (
  trajectory: string,
) => Promise<{ readonly seq: number; readonly id: Address } | null>

/**
 * Keeps the newest head beside the signing keys, so that a store that was put back, or lost its tail, is
 * noticed before the next checkpoint too. It is not synced: after a power loss it may be older than the
 * store, and is never newer.
 */
export interface HeadPlace {
  readonly place: string
  /** What can be read of what was kept, in no order. */
  read(): readonly string[]
  write(head: string): void
}
