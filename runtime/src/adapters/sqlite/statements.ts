import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Row } from './rows.ts'

export type SqliteParameter = SQLInputValue

/** Prepares each SQL text once. Texts are constants of this adapter, so there are few. */
export class Statements {
  readonly #database: DatabaseSync
  readonly #prepared: Map<string, StatementSync> = new Map()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  run(sql: string, ...parameters: SqliteParameter[]): number {
    return Number(this.#prepareStatement(sql).run(...parameters).changes)
  }

  get(sql: string, ...parameters: SqliteParameter[]): Row | undefined {
    return this.#prepareStatement(sql).get(...parameters)
  }

  listRows(sql: string, ...parameters: SqliteParameter[]): Row[] {
    return this.#prepareStatement(sql).all(...parameters)
  }

  iterate(sql: string, ...parameters: SqliteParameter[]): Iterable<Row> {
    return this.#database.prepare(sql).iterate(...parameters)
  }

  #prepareStatement(sql: string): StatementSync {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}
