/** The key of rows, in a file beside the signing keys: made on first start, of no use to verify a ledger. */
import { createHmac, createSecretKey } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RowKeeper, RowKeeping } from '../../ports/row-keeper.ts'
import { systemRandom } from './random.ts'

const KEY_BYTES = 32
const ROW_KEY_FILE = 'rows.key'

/** `given`: the key itself, in place of the file. One is made where there is none. */
export function openRowKey(folder: string, given?: Uint8Array): Required<RowKeeping> {
  if (given !== undefined) return { rowKeeper: keeperOf(given) }
  const path = join(folder, ROW_KEY_FILE)
  if (!existsSync(path)) makeKey(folder, path)
  return { rowKeeper: keeperOf(readFileSync(path)) }
}

/** Of two processes that start at once the first makes it. */
function makeKey(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, systemRandom.bytes(KEY_BYTES), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

function keeperOf(bytes: Uint8Array): RowKeeper {
  if (bytes.length !== KEY_BYTES) throw new Error(`a row key has ${KEY_BYTES} bytes`)
  const key = createSecretKey(bytes)
  return { digest: (text) => createHmac('sha512', key).update(text).digest() }
}
