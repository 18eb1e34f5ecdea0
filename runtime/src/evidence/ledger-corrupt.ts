/** What the ledger says cannot be: the place where it stops making sense. */
export class LedgerCorrupt extends Error {
  readonly leaf: number

  constructor(leaf: number, detail: string) {
    super(`the ledger is damaged at leaf ${leaf}: ${detail}`)
    this.name = 'LedgerCorrupt'
    this.leaf = leaf
  }
}
