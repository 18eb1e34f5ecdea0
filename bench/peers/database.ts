/** A database of its own on the server, so that a peer neither finds nor leaves anything. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const DROP_TRIES = 30
const RETRY_MS = 100

export type FreshDatabase = { readonly url: string; drop(): Promise<void> }

export async function createFreshDatabase(server: string, owner: string): Promise<FreshDatabase> {
  if (server === '') throw new Error('needs a Postgres server: --postgres URL')
  const name = `rubicon_peer_${owner}_${process.pid}`
  await runStatement(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => drop(server, name) }
}

/** A pool says that it has ended before the server has seen its connections go. */
async function drop(server: string, name: string): Promise<void> {
  for (let left = DROP_TRIES; ; left--) {
    try {
      return await runStatement(server, `DROP DATABASE ${name}`)
    } catch (error) {
      if (left === 0) throw error
      await pause(RETRY_MS)
    }
  }
}

async function runStatement(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
