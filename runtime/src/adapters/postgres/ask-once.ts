/** One question of a database, over a connection of its own that writes nothing. */
import { Client } from 'pg'
import { columnTypes } from './session.ts'

export async function askOnce(
  address: string,
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: address, types: columnTypes })
  await client.connect()
  try {
    await client.query('SET default_transaction_read_only = on')
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
