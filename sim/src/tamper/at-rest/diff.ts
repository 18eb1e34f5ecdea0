/** What a change did, by what stands there before and after it: nothing is taken from how it was made. */
import { type Holder, isSame, KEYS, type Row } from './holder.ts'

export type RowChange = {
  readonly table: string
  /** Null: there was none. */
  readonly before: Row | null
  /** Null: it is gone. */
  readonly after: Row | null
  /** Of a row that stands where it stood. */
  readonly columns: readonly string[]
}

export type TableRows = ReadonlyMap<string, Row>

export async function readTable(table: string, holder: Holder): Promise<TableRows> {
  const rows = await holder.rows(`SELECT * FROM ${table}`)
  return new Map(rows.map((row) => [formatRowKey(table, row), row]))
}

export function findChangedRows(table: string, before: TableRows, after: TableRows): RowChange[] {
  const changes: RowChange[] = []
  for (const [key, row] of before) {
    const now = after.get(key) ?? null
    const columns =
      now === null ? [] : Object.keys(row).filter((name) => !isSame(row[name], now[name]))
    if (now === null || columns.length > 0)
      changes.push({ table, before: row, after: now, columns })
  }
  for (const [key, row] of after)
    if (!before.has(key)) changes.push({ table, before: null, after: row, columns: [] })
  return changes
}

function formatRowKey(table: string, row: Row): string {
  return JSON.stringify((KEYS[table] ?? []).map((name) => formatCell(row[name])))
}

function formatCell(value: Row[string] | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
}
