/**
 * The key that vouches for rows, for whoever owns a store. It is made with the store, and never again beside
 * one whose rows carry codes: under a new key none of them fits, and a lost file would look like a changed
 * database.
 */
import type { KeyFolder } from './adapters/system/key-folder.ts'
import { hasRowKey, openRowKey, toRowKeyPath } from './adapters/system/row-key.ts'
import type { RowMac, RowVouching } from './ports/row-mac.ts'
import { type Store, StoreError } from './ports/store.ts'
import { isMemoryAddress } from './ports/store-address.ts'
import { RubiconError } from './rubicon-error.ts'
import type { RuntimeOptions } from './runtime.ts'

/** `read` opens the store to read it. */
export async function prepareVouching(
  { store, rowKey }: Pick<RuntimeOptions, 'store' | 'rowKey'>,
  keys: KeyFolder,
  report: (line: string) => void,
  read: (vouching: RowVouching) => Promise<Store>,
): Promise<RowVouching> {
  if (store !== undefined && isMemoryAddress(store)) return {}
  if (rowKey === undefined && !hasRowKey(keys) && (await hasCodes(read)))
    throw createLostKeyError(keys)
  return {
    rowMac: openKey(keys, rowKey),
    distrusted: ({ code, message }) => report(`${code}: ${message}`),
  }
}

/** For whoever only looks: what is there, and nothing is made. */
export function findPresentVouching(
  keys: KeyFolder | null,
  distrusted: NonNullable<RowVouching['distrusted']>,
): RowVouching {
  return keys !== null && hasRowKey(keys) ? { rowMac: openKey(keys), distrusted } : {}
}

function openKey(keys: KeyFolder, given?: Uint8Array): RowMac {
  try {
    return openRowKey(keys, given)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const place = given === undefined ? toRowKeyPath(keys.path) : '`rowKey`'
    throw new RubiconError({
      code: 'ROW_KEY_INVALID',
      summary: `${place}: ${error.message}`,
      fix: 'restore it from your backup of the state directory',
    })
  }
}

/** A code that was made for the owner of a contract, or for anybody else who is known, is shown to this mac. */
async function hasCodes(read: (vouching: RowVouching) => Promise<Store>): Promise<boolean> {
  let isShown = false
  const isCode = (): boolean => {
    isShown = true
    return true
  }
  const store = await read({ rowMac: { code: () => '', isCode } }).catch(ignoreMissingStore)
  if (store === null) return false
  try {
    await store.listRecords('person_identity', 'identities', { limit: 1 })
    return isShown
  } finally {
    await store.close()
  }
}

/** There is no store yet, or one from before codes; whoever opens it to write says what else is wrong. */
function ignoreMissingStore(error: unknown): null {
  if (error instanceof StoreError) return null
  throw error
}

function createLostKeyError({ path }: KeyFolder): RubiconError {
  return new RubiconError({
    code: 'ROW_KEY_MISSING',
    summary: `${toRowKeyPath(path)} is missing, and rows of the store carry codes under it`,
    why: 'sessions, facts, requests and counters of agents count only where their code fits; a new key fits none',
    fix: 'restore the file from your backup of the state directory; without one see "A lost rows.key" in docs/guides/recovering.md',
  })
}
