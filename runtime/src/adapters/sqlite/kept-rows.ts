/**
 * The rows that the key beside the signing keys vouches for, and the sum over them that every head signs.
 *
 * Invariant: the sum is that of the rows as the database had them when this process first looked, and since
 * then of what it has written itself: a row that was changed meanwhile does not become one of them.
 */
import type { RecordRef } from '../../ports/record.ts'
import type { RowKeeper } from '../../ports/row-keeper.ts'
import { bodyOf, isKept, type KeptRow, RowMacs, RowSum } from '../unit/row-macs.ts'
import type { RecordChange } from '../unit/unit-plan.ts'
import { parseKeptRow } from './rows.ts'
import type { Statements } from './statements.ts'

/** Null where the key is not here. */
export function keptRows(
  { tenant, rowKeeper }: { readonly tenant: string; readonly rowKeeper?: RowKeeper },
  sql: Statements,
): KeptRows | null {
  return rowKeeper === undefined ? null : new KeptRows(new RowMacs(tenant, rowKeeper), tenant, sql)
}

export class KeptRows {
  readonly macs: RowMacs
  readonly #tenant: string
  readonly #sql: Statements
  #sum: RowSum | undefined

  constructor(macs: RowMacs, tenant: string, sql: Statements) {
    this.macs = macs
    this.#tenant = tenant
    this.#sql = sql
  }

  get text(): string {
    return this.#summed().text
  }

  get hasChanged(): boolean {
    return this.#sum?.hasChanged ?? false
  }

  /** Before the row is written: what it is now leaves the sum, and what it becomes is added. */
  change(change: RecordChange, text: string | null): void {
    if (!isKept(change.record)) return
    const sum = this.#summed()
    const before = this.#find(change)
    if (before !== undefined) sum.change(this.macs.share(before), -1)
    if (text !== null) sum.change(this.macs.share({ ...change, text }), 1)
  }

  /** Vouches for every row as it stands: once for a store of an earlier build, and on an operator's word. */
  adopt(): void {
    for (const row of [...this.#all()]) {
      const text = this.macs.encode(row, bodyOf(row.text))
      const { record, group, key } = row
      this.#sql.run(CODE_ROW, text, this.#tenant, record, group, key)
    }
    this.#sum = undefined
  }

  settle(): void {
    if (this.hasChanged) this.#sum?.settle()
  }

  forget(): void {
    if (this.hasChanged) this.#sum?.forget()
  }

  #summed(): RowSum {
    this.#sum ??= new RowSum(Array.from(this.#all(), (row) => this.macs.share(row)))
    return this.#sum
  }

  *#all(): Iterable<KeptRow> {
    for (const row of this.#sql.iterate(ROWS, this.#tenant)) {
      const kept = parseKeptRow(row)
      if (isKept(kept.record)) yield kept
    }
  }

  #find({ record, group, key }: RecordRef): KeptRow | undefined {
    const row = this.#sql.get(ROW, this.#tenant, record, group, key)
    return row === undefined ? undefined : parseKeptRow(row)
  }
}

const ROWS = 'SELECT record, grp, key, version, body FROM records WHERE tenant = ?'
const ROW = `${ROWS} AND record = ? AND grp = ? AND key = ?`
const CODE_ROW = `UPDATE records SET body = ?
  WHERE tenant = ? AND record = ? AND grp = ? AND key = ?`
