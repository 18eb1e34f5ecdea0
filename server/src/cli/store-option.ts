/**
 * Where the ledger is: `--store`, `--store-file`, RUBICON_STORE, in this order. The list of processes shows
 * everybody what stands on a command line, so that an address with a password belongs into one of the others.
 */
import { readFileSync } from 'node:fs'
import { hasPassword, isPostgresAddress } from 'rubicon-runtime/ports'
import { createUsageFailure, type Options } from './call.ts'

export const DEFAULT_STORE = 'sqlite:./.rubicon/rubicon.db'

/** Of `rubicon dev`, below the folder of a project: a file, and what is kept beside it. */
export const DEV_STORE = '.rubicon/dev/rubicon.db'
export const DEV_STATE = '.rubicon/dev/state'

export function getStoreAddress(options: Options, env: NodeJS.ProcessEnv): string {
  const [given, file] = [options.text('store'), options.text('storeFile')]
  if (given !== undefined && file !== undefined)
    throw createUsageFailure(
      '`--store` and `--store-file` both name a store',
      'leave one of them out',
    )
  if (given !== undefined) return given
  if (file !== undefined) return readAddress(file)
  const named = env.RUBICON_STORE
  return named === undefined || named === '' ? DEFAULT_STORE : named
}

function readAddress(file: string): string {
  const address = readText(file).trim()
  if (address !== '' && !address.includes('\n')) return address
  throw createUsageFailure(`\`${file}\` holds no address of a store`, 'write it there, on one line')
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw createUsageFailure(`\`${file}\` cannot be read`, 'correct `--store-file`, or its rights')
  }
}

/** Null: nothing secret stands on the command line. */
export function findExposedSecret(options: Options): string | null {
  const given = options.text('store')
  if (given === undefined || !isPostgresAddress(given) || !hasPassword(given)) return null
  return 'the list of processes shows the password of the store: use --store-file, RUBICON_STORE or PGPASSFILE'
}
