/**
 * The table of seals. Between the commit of a batch and the moment in which its entries get their
 * places, perhaps by another process, nothing else says that a process of this log wrote them. A seal
 * goes in the transaction that places its batch: from then on the head vouches.
 */
import {
  buildLookup,
  type Column,
  createColumn,
  dropStatement,
  encodeColumnArrays,
  insertStatement,
} from './bulk.ts'
import { encodeArray } from './parameters.ts'
import { parseText } from './rows.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'

/** Its name is the id of the first entry of its batch. */
export type SealRow = { readonly name: string; readonly text: string }

export function writeSeal(
  seal: SealRow,
  tenant: string,
  session: DatabaseSession,
): Promise<unknown> {
  return session.run(INSERT_SEALS, tenant, ...encodeColumnArrays(SEALS, [seal]))
}

/** What stands there, whoever wrote it. */
export async function listSeals(
  names: readonly string[],
  tenant: string,
  session: DatabaseSession,
): Promise<readonly SealRow[]> {
  const rows = await session.run(SEALS_NAMED, tenant, encodeArray('text', names))
  return rows.map((row) => ({ name: parseText(row, 'name'), text: parseText(row, 'seal') }))
}

export function dropSeals(
  names: readonly string[],
  tenant: string,
  session: DatabaseSession,
): Promise<unknown> {
  return session.run(DROP_SEALS, tenant, ...encodeColumnArrays(NAMES, names))
}

export function dropAllSeals(tenant: string, session: DatabaseSession): Promise<unknown> {
  return session.run(DROP_ALL_SEALS, tenant)
}

const SEALS: readonly Column<SealRow>[] = [
  createColumn('name', 'text', ({ name }) => name),
  createColumn('seal', 'text', ({ text }) => text),
]
const INSERT_SEALS = insertStatement('seals', SEALS)
const NAMES: readonly Column<string>[] = [createColumn('name', 'text', (name) => name)]
const DROP_SEALS = dropStatement('seals', NAMES)
const SEALS_NAMED = buildLookup('seals_named', 'name, seal', 'seals', { name: 'text' })
const DROP_ALL_SEALS: NamedStatement = {
  name: 'drop_all_seals',
  text: 'DELETE FROM seals WHERE tenant = $1',
}
