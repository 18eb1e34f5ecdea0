import { StoreError } from './store.ts'

/**
 * The ledger is not the one that was signed: its tree is not that of its head, or an entry is not the
 * one that stands in the tree. Nothing is decided and nothing signed on it any more.
 */
export class HeadMismatch extends StoreError {
  readonly leaf: number | null

  constructor(
    detail: string,
    leaf: number | null = null,
    where: string = leaf === null ? 'its signed head does not hold' : `at leaf ${leaf}`,
    fix: string = `${RESTORE}; or accept it as it is: \`rubicon ledger accept-restore --reason "…"\``,
  ) {
    super('HEAD_MISMATCH', `the ledger is not the one that was signed, ${where}: ${detail}`, fix)
    this.leaf = leaf
  }
}

const RESTORE = 'keep the store as evidence and restore a copy that was not changed'

/** An entry that does not fit its own hashes, or has lost its words: no verifier would ever take it. */
export class EntryMismatch extends HeadMismatch {
  constructor(detail: string, leaf: number | null, where?: string) {
    super(detail, leaf, where, `${RESTORE}; what does not fit its own hashes cannot be accepted`)
  }
}

/** What waits for its place in the tree is not what a process of this log has sealed. */
export class SealMismatch extends HeadMismatch {
  constructor(detail: string) {
    super(detail, null, 'behind its last leaf')
  }
}
