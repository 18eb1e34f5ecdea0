/**
 * Where keys and checkpoints of a store live: outside its folder, and apart from those of others.
 *
 * A ledger is known by its keys. With the keys of another it would be taken for that one cut short; and
 * one that is deleted and begun again in the same place is found to be shorter, as it should be.
 */
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { isPostgresAddress } from '../../ports/store-address.ts'

const HASH_LENGTH = 10

export function resolveStateDirectory(
  store: string,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (environment.RUBICON_STATE !== undefined) return environment.RUBICON_STATE
  const base = environment.XDG_STATE_HOME ?? join(homedir(), '.local', 'state')
  const place = normaliseStorePlace(store)
  const hash = createHash('sha256').update(place).digest('hex').slice(0, HASH_LENGTH)
  return join(base, 'rubicon', `${toFolderName(place)}-${hash}`)
}

/** The same for every way to write it, and without a password. */
export function normaliseStorePlace(store: string): string {
  if (store.startsWith('sqlite:')) return resolve(store.slice('sqlite:'.length))
  if (!isPostgresAddress(store) || !URL.canParse(store)) return store
  const { host, pathname } = new URL(store)
  return `${host}${pathname}`
}

/** What a tenant's file or folder is called. `.` and `..` are names too, and would be the folder of somebody else. */
export function toTenantFileName(tenant: string): string {
  const name = encodeURIComponent(tenant)
  return name === '.' || name === '..' ? name.replaceAll('.', '%2E') : name
}

/** Where the newest head of a tenant's ledger is kept. */
export function resolveHeadFile(stateDirectory: string, tenant: string): string {
  return join(stateDirectory, 'heads', toTenantFileName(tenant))
}

/** For whoever looks into the folder: the project of a file, or the name of a database. */
function toFolderName(place: string): string {
  const folders: string[] = []
  for (let at = dirname(place); at !== dirname(at); at = dirname(at)) folders.push(basename(at))
  const name = folders.find((folder) => !folder.startsWith('.')) ?? basename(place)
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_')
}
