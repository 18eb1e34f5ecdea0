import { parseNumber } from './rows.ts'
import type { SqliteParameter, Statements } from './statements.ts'

/**
 * A list as SQL. Conditions are constants of this adapter; everything from outside is a parameter.
 *
 * SQLite knows nothing of how many rows a condition leaves: of two indexes it may take the one that
 * makes it read, and sort, everything. A `+` before a column keeps its index out of it.
 */
export class SqliteQuery {
  readonly #from: string
  readonly #conditions: string[]
  readonly #parameters: SqliteParameter[]

  constructor(from: string, tenant: readonly [condition: string, tenant: string]) {
    this.#from = from
    this.#conditions = [tenant[0]]
    this.#parameters = [tenant[1]]
  }

  addCondition(condition: string, ...parameters: SqliteParameter[]): void {
    this.#conditions.push(condition)
    this.#parameters.push(...parameters)
  }

  count(sql: Statements): number {
    const where = this.#conditions.join(' AND ')
    const text = `SELECT count(*) AS found FROM ${this.#from} WHERE ${where}`
    return parseNumber(sql.get(text, ...this.#parameters), 'found') ?? 0
  }

  selectRows(
    select: string,
    order: string,
    limit: number,
    sql: Statements,
  ): ReturnType<Statements['listRows']> {
    const where = this.#conditions.join(' AND ')
    const text = `SELECT ${select} FROM ${this.#from} WHERE ${where} ORDER BY ${order} LIMIT ?`
    return sql.listRows(text, ...this.#parameters, limit)
  }
}
