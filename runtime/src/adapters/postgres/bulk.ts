/** Statements over many rows at once: a table's columns as data, and arrays for their values. */
import { type Element, type ElementType, encodeArray } from './parameters.ts'
import type { NamedStatement } from './session.ts'

export type Column<T> = {
  readonly name: string
  readonly type: ElementType
  readonly of: (row: T) => Element
}

export function createColumn<T>(
  name: string,
  type: ElementType,
  of: (row: T) => Element,
): Column<T> {
  return { name, type, of }
}

/** Inserts rows of one tenant; `$1` is the tenant, then one array a column. */
export function insertStatement<T>(table: string, columns: readonly Column<T>[]): NamedStatement {
  const names = columns.map(({ name }) => name).join(', ')
  const arrays = columns.map(({ type }, i) => `$${i + 2}::${type}[]`).join(', ')
  return {
    name: `insert_${table}`,
    text: `INSERT INTO ${table} (tenant, ${names}) SELECT $1, u.* FROM unnest(${arrays}) AS u`,
  }
}

/** Inserts, or replaces what has the same key. */
export function putStatement<T>(
  table: string,
  key: readonly string[],
  columns: readonly Column<T>[],
): NamedStatement {
  const { text } = insertStatement(table, columns)
  const others = columns.filter(({ name }) => !key.includes(name))
  const set = others.map(({ name }) => `${name} = EXCLUDED.${name}`).join(', ')
  return {
    name: `put_${table}`,
    text: `${text} ON CONFLICT (${['tenant', ...key].join(', ')}) DO UPDATE SET ${set}`,
  }
}

/** Changes columns of rows that are there; the first arrays are their key. */
export function changeStatement<T>(
  table: string,
  key: readonly Column<T>[],
  columns: readonly Column<T>[],
): NamedStatement {
  const all = [...key, ...columns]
  const names = all.map(({ name }) => name).join(', ')
  const arrays = all.map(({ type }, i) => `$${i + 2}::${type}[]`).join(', ')
  const set = columns.map(({ name }) => `${name} = u.${name}`).join(', ')
  const same = key.map(({ name }) => `r.${name} = u.${name}`).join(' AND ')
  return {
    name: `change_${table}`,
    text: `UPDATE ${table} AS t SET ${set} FROM unnest(${arrays}) AS u (${names})
      CROSS JOIN LATERAL (SELECT ctid FROM ${table} AS r
        WHERE r.tenant = $1 AND ${same} OFFSET 0) AS found
      WHERE t.ctid = found.ctid`,
  }
}

/** Deletes by key; what is deleted is ours alone meanwhile, so it stays where it was found. */
export function dropStatement<T>(table: string, key: readonly Column<T>[]): NamedStatement {
  const types = Object.fromEntries(key.map(({ name, type }) => [name, type]))
  const { text } = buildLookup('', 'ctid', table, types)
  return { name: `drop_${table}`, text: `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(${text}))` }
}

/**
 * Rows by their keys; `$1` is the tenant, then one array a key column. The subquery is a fence: a
 * planner that has seen an empty table would read all of it for every key, and go on doing so while
 * the table grows.
 */
export function buildLookup(
  name: string,
  columns: string,
  table: string,
  key: Readonly<Record<string, ElementType>>,
): NamedStatement {
  const types = Object.values(key)
  const arrays = types.map((type, i) => `$${i + 2}::${type}[]`).join(', ')
  const same = Object.keys(key).map((column) => `t.${column} = asked.${column}`)
  return {
    name,
    text: `SELECT t.* FROM unnest(${arrays}) AS asked (${Object.keys(key).join(', ')})
      CROSS JOIN LATERAL (SELECT ${columns} FROM ${table} AS t
        WHERE t.tenant = $1 AND ${same.join(' AND ')} OFFSET 0) AS t`,
  }
}

export function encodeColumnArrays<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
): Uint8Array[] {
  return columns.map(({ type, of }) => encodeArray(type, rows.map(of)))
}
