/**
 * The hands of whoever holds the database and no key: rows, read and written past the runtime. The two
 * databases differ in how a value is written down, and in how what guards entries is put aside.
 */
import { DatabaseSync } from 'node:sqlite'
import type { LocalServer } from '../../../../runtime/src/adapters/postgres/local-server.ts'

export type Value = string | number | bigint | boolean | Uint8Array | null
export type Row = Readonly<Record<string, Value>>

export interface Holder {
  rows(sql: string): Promise<readonly Row[]>
  run(sql: string): Promise<void>
  literal(value: Value): string
  /** Columns that the database computes, and nobody can write. */
  listDerivedColumns(table: string): Promise<readonly string[]>
  /** Entries can be changed from here on; `done` puts the guards back as they were. */
  removeGuards(): Promise<() => Promise<void>>
  close(): void
}

/** What a row is found by. */
export const KEYS: Readonly<Record<string, readonly string[]>> = {
  entries: ['tenant', 'trajectory', 'seq'],
  leaves: ['tenant', 'leaf'],
  placed: ['tenant', 'trajectory'],
  trajectories: ['tenant', 'trajectory'],
  flows: ['tenant', 'dfid'],
  executions: ['tenant', 'dfid', 'step_id'],
  counters: ['tenant', 'id'],
  writs: ['tenant', 'id'],
  records: ['tenant', 'record', 'grp', 'key'],
  resources: ['tenant', 'trajectory', 'key'],
  world_nodes: ['tenant', 'trajectory', 'prefix'],
  checkpoints: ['tenant', 'epoch', 'size'],
  tiles: ['tenant', 'number'],
  tree_heads: ['tenant'],
  meta: ['key'],
}

export function isSame(a: Value | undefined, b: Value | undefined): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.from(a).equals(b)
  return a === b
}

export function formatWhere(table: string, row: Row, holder: Holder): string {
  const keys = KEYS[table] ?? []
  return keys.map((key) => `${key} = ${holder.literal(row[key] ?? null)}`).join(' AND ')
}

export async function putRow(table: string, row: Row, holder: Holder): Promise<void> {
  const derived = await holder.listDerivedColumns(table)
  const names = Object.keys(row).filter((name) => !derived.includes(name))
  const values = names.map((name) => holder.literal(row[name] ?? null))
  await holder.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`)
}

export function openSqliteHolder(path: string): Holder {
  const database = new DatabaseSync(path)
  return {
    rows: async (sql) => database.prepare(sql).all() as Row[],
    run: async (sql) => void database.exec(sql),
    literal: (value) => formatLiteral(value, (bytes) => `x'${toHex(bytes)}'`),
    listDerivedColumns: async () => [],
    async removeGuards() {
      const sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
      const triggers = database.prepare(sql).all()
      for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`)
      return async () => {
        for (const { sql: made } of triggers) database.exec(String(made))
      }
    },
    close: () => database.close(),
  }
}

export function openPostgresHolder(server: LocalServer, database: string): Holder {
  return {
    rows: async (sql) => (await server.query(database, sql)) as Row[],
    run: async (sql) => void (await server.query(database, sql)),
    literal: (value) => formatLiteral(value, (bytes) => `'\\x${toHex(bytes)}'::bytea`),
    async listDerivedColumns(table) {
      const sql = `SELECT column_name AS name FROM information_schema.columns
        WHERE table_name = '${table}' AND is_generated = 'ALWAYS'`
      return (await server.query(database, sql)).map(({ name }) => String(name))
    },
    // An owner of the tables is not held back by their triggers.
    async removeGuards() {
      const tables = ['entries', 'leaves']
      for (const table of tables)
        await server.query(database, `ALTER TABLE ${table} DISABLE TRIGGER USER`)
      return async () => {
        for (const table of tables)
          await server.query(database, `ALTER TABLE ${table} ENABLE TRIGGER USER`)
      }
    },
    close: () => {},
  }
}

function formatLiteral(value: Value, bytes: (value: Uint8Array) => string): string {
  if (value === null) return 'NULL'
  if (value instanceof Uint8Array) return bytes(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return String(value)
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
