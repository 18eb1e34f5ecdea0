/** A database for a demonstration: whoever borrows it gives it back. */
import { StoreError } from '../../ports/store.ts'
import type { LocalServer } from './local-server.ts'

export type PostgresLoan = { readonly address: string; giveBack(): Promise<void> }

/** The one that RUBICON_POSTGRES names, else one on a server started for it; null: there is neither. */
export async function borrowPostgres(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<PostgresLoan | null> {
  const named = environment.RUBICON_POSTGRES ?? ''
  if (named !== '') return { address: named, giveBack: async () => {} }
  // Loaded when somebody asks: most runs need neither a server nor its driver.
  const { findServer, startLocalServer } = await import('./local-server.ts')
  if (findServer() === null) return null
  const server = await startLocalServer().catch(throwNotStarted)
  await server.createDatabase('rubicon')
  return { address: server.formatAddress('rubicon'), giveBack: () => server.remove() }
}

function throwNotStarted(cause: unknown): Promise<LocalServer> {
  const why = cause instanceof Error ? cause.message : String(cause)
  const fix = 'set RUBICON_POSTGRES to postgres://USER@HOST/DATABASE of a server that runs'
  throw new StoreError('STORE_ERROR', `no Postgres server could be started: ${why}`, fix, cause)
}
