/**
 * What the server or the way to it said, in the port's words. An address is shown without its
 * password, and so is everything here.
 */
import { inspect } from 'node:util'
import { StoreError, type StoreErrorCode } from '../../ports/store.ts'
import { findPassword, redactAddress } from '../../ports/store-address.ts'
import { createSecretSearch } from '../secrets/secret-search.ts'

type Known = { readonly code: StoreErrorCode; readonly says: string; readonly fix: string }

const FULL: Known = {
  code: 'STORE_FULL',
  says: 'the server has no room left to write',
  fix: "free space on the server's disk; nothing that was acknowledged is lost",
}
const READ_ONLY: Known = {
  code: 'STORE_READ_ONLY',
  says: 'it cannot be written',
  fix: 'use the primary server and a role that may write (rubicon_writer), or only read',
}
const LOCKED: Known = {
  code: 'STORE_LOCKED',
  says: 'others hold what this needs for too long',
  fix: 'look for a session that hangs in a transaction (pg_stat_activity), and try again',
}
const CORRUPT: Known = {
  code: 'STORE_CORRUPT',
  says: 'the server says that its files are damaged',
  fix: 'keep the data folder as evidence and restore a backup beside it',
}
const MISSING: Known = {
  code: 'STORE_MISSING',
  says: 'there is no such database',
  fix: 'check the address, or make it: createdb NAME',
}
const UNREACHABLE: Known = {
  code: 'STORE_ERROR',
  says: 'the server does not answer',
  fix: 'check host and port, and that the server is running',
}
const REFUSED: Known = {
  code: 'STORE_ERROR',
  says: 'the server does not let this user in',
  fix: 'check user and password, and pg_hba.conf on the server',
}
const CROWDED: Known = {
  code: 'STORE_ERROR',
  says: 'the server has no connection left',
  fix: 'raise max_connections, or run fewer processes: each takes up to nine',
}
const SLOW: Known = {
  code: 'STORE_ERROR',
  says: 'the server took too long',
  fix: 'look for what slows it down (pg_stat_activity), and try again',
}
const LOCK_TABLE: Known = {
  code: 'STORE_ERROR',
  says: 'the server has no room for more locks',
  fix: 'raise max_locks_per_transaction, or run fewer processes',
}

/** By the server's SQLSTATE. */
const BY_STATE: Readonly<Record<string, Known>> = {
  '53100': FULL,
  '25006': READ_ONLY,
  '42501': READ_ONLY,
  '55P03': LOCKED,
  '3D000': MISSING,
  '28000': REFUSED,
  '28P01': REFUSED,
  '53200': LOCK_TABLE,
  '53300': CROWDED,
  '57014': SLOW,
  '57P01': UNREACHABLE,
  '57P02': UNREACHABLE,
  '57P03': UNREACHABLE,
  XX001: CORRUPT,
  XX002: CORRUPT,
}

/** A transaction that lost a race, and may be tried again: nothing of it is there. */
const RACES: readonly string[] = ['40001', '40P01', '23505']

type ServerError = Error & { readonly code: string; readonly severity: string }

/** The server said no; everything else is wrong with the way to it, or with us. */
function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'severity' in error && 'code' in error
}

export function isRace(error: unknown): boolean {
  return isServerError(error) && RACES.includes(error.code)
}

/** The server is not there, or on its way down or up: it may be back soon. */
export function isAway(error: unknown): boolean {
  const known = isServerError(error) ? BY_STATE[error.code] : findConnectionError(error)
  return known === UNREACHABLE || known === CROWDED
}

export function storeError(error: unknown, address: string): StoreError {
  if (error instanceof StoreError) return error
  const shown = redactAddress(address)
  const known = isServerError(error) ? BY_STATE[error.code] : findConnectionError(error)
  const { said, cause } = removePassword(error, address)
  if (known !== undefined) {
    const why = isServerError(error) ? `: ${said}` : ''
    return new StoreError(known.code, `store \`${shown}\`: ${known.says}${why}`, known.fix, cause)
  }
  return new StoreError('STORE_ERROR', `store \`${shown}\`: ${said}`, 'see the cause', cause)
}

/** A server, or a proxy before it, may say again what it was sent. Then its words are all that is kept of it. */
function removePassword(
  error: unknown,
  address: string,
): { readonly said: string; readonly cause: unknown } {
  const said = error instanceof Error ? error.message : String(error)
  const password = findPassword(address)
  const hide = (text: string): string =>
    createSecretSearch([password]).replaceIn(text, '[password]')
  const shown = inspect(error)
  return { said: hide(said), cause: hide(shown) === shown ? error : undefined }
}

/** What is wrong with the way to the server. */
function findConnectionError(error: unknown): Known | undefined {
  if (!(error instanceof Error)) return undefined
  // Several addresses that all fail are one error with no message of its own.
  const isNetwork = 'syscall' in error || error instanceof AggregateError
  return isNetwork || ENDED.test(error.message) ? UNREACHABLE : undefined
}

/** How the driver says that a connection is gone or cannot be had. */
const ENDED = /^(Connection terminated|Client (was closed|has encountered)|timeout )/

export function createReadOnlyError(address: string): StoreError {
  return new StoreError(
    'STORE_READ_ONLY',
    `store \`${redactAddress(address)}\` was opened for reading`,
    'open it as one of its owners to write',
  )
}
