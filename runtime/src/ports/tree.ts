/** The tree of a ledger as its store keeps it, and who signs what it becomes. */
import type { TreeSize } from 'rubicon-kernel'

/** The tree over everything that has its place, and the signed head that stands for it. */
export type StoredTree = TreeSize & { readonly head: string | null }

/**
 * Signs heads and checks them, at once: a transaction cannot wait for a signature, and nothing may
 * come between a tree and its head.
 */
export interface HeadKeeper {
  sign(tree: TreeSize): string
  /** What is wrong with a head that is to stand for this tree; undefined: nothing. */
  problem(head: string | null, tree: TreeSize): string | undefined
}
