import type { PostgresParameter } from './parameters.ts'
import type { Row } from './rows.ts'
import type { DatabaseSession } from './session.ts'

/** A list as SQL. Conditions are constants of this adapter; everything from outside is a parameter. */
export class PostgresQuery {
  #name: string
  readonly #select: string
  readonly #conditions: string[] = ['tenant = $1']
  readonly #parameters: PostgresParameter[]

  constructor(name: string, columns: string, table: string, tenant: string) {
    this.#name = `list_${name}`
    this.#select = `SELECT ${columns} FROM ${table}`
    this.#parameters = [tenant]
  }

  /** `name` tells the prepared statements apart. */
  addCondition(name: string, condition: string, ...parameters: PostgresParameter[]): void {
    this.#name += `_${name}`
    const numbered = condition.split('?').reduce((text, rest, i) => {
      return `${text}$${this.#parameters.length + i}${rest}`
    })
    this.#conditions.push(numbered)
    this.#parameters.push(...parameters)
  }

  selectEveryRow(session: DatabaseSession): Promise<Row[]> {
    const text = `${this.#select} WHERE ${this.#conditions.join(' AND ')}`
    return session.run({ name: this.#name, text }, ...this.#parameters)
  }

  selectRows(order: string, limit: number, session: DatabaseSession): Promise<Row[]> {
    const where = this.#conditions.join(' AND ')
    const last = `$${this.#parameters.length + 1}`
    const text = `${this.#select} WHERE ${where} ORDER BY ${order} LIMIT ${last}`
    const name = order.endsWith('DESC') ? `${this.#name}_back` : this.#name
    return session.run({ name, text }, ...this.#parameters, limit)
  }
}
