/** Where LangGraph keeps its checkpoints: its Postgres saver, or its SQLite saver. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges } from 'node:sqlite'
import type { BaseCheckpointSaver } from '@langchain/langgraph'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import pg from 'pg'
import { createFreshDatabase } from './database.ts'

/** The default of 10; 20 and 40 were not faster on two cores. */
const CONNECTIONS = 10

export type Saver = {
  readonly saver: BaseCheckpointSaver
  readonly note: string
  close(): Promise<void> | void
}

export async function createPostgresSaver(server: string): Promise<Saver> {
  const database = await createFreshDatabase(server, 'langgraph')
  const pool = new pg.Pool({ connectionString: database.url, max: CONNECTIONS })
  const saver = new PostgresSaver(pool)
  await saver.setup()
  return {
    saver,
    note: `its Postgres saver, ${CONNECTIONS} connections`,
    async close() {
      await pool.end()
      await database.drop()
    },
  }
}

/** The saver wants better-sqlite3, whose binary has to be built; Node brings the same SQLite. */
export function createSqliteSaver(): Saver {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-langgraph-'))
  const database = new DatabaseSync(join(folder, 'checkpoints.db'))
  return {
    saver: new SqliteSaver(toBetterSqlite(database)),
    note: 'its SQLite saver on node:sqlite, WAL, synchronous FULL',
    close() {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Row = Readonly<Record<string, unknown>>
type Statement = {
  all(...values: readonly SQLInputValue[]): readonly Row[]
  get(...values: readonly SQLInputValue[]): Row | undefined
  run(...values: readonly SQLInputValue[]): StatementResultingChanges
}
/** As much of better-sqlite3 as the saver calls. */
type BetterSqlite = {
  pragma(text: string): readonly Row[]
  exec(text: string): void
  prepare(text: string): Statement
  transaction<T>(work: (input: T) => void): (input: T) => void
}

function toBetterSqlite(database: DatabaseSync): BetterSqlite {
  const bindValues = (values: readonly (SQLInputValue | undefined)[]): readonly SQLInputValue[] =>
    values.map((value) => value ?? null)
  return {
    pragma: (text) => database.prepare(`PRAGMA ${text}`).all(),
    exec: (text) => database.exec(text),
    prepare(text) {
      const statement = database.prepare(text)
      return {
        all: (...values) => statement.all(...bindValues(values)),
        get: (...values) => statement.get(...bindValues(values)),
        run: (...values) => statement.run(...bindValues(values)),
      }
    },
    transaction: (work) => (input) => {
      database.exec('BEGIN')
      work(input)
      database.exec('COMMIT')
    },
  }
}
