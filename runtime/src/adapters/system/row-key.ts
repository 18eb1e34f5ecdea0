/** The key of rows, in a file beside the signing keys: made on the first start, of no use to verify a ledger. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import type { RowMac } from '../../ports/row-mac.ts'
import type { KeyFolder } from './key-folder.ts'
import { systemRandom } from './random.ts'

const KEY_BYTES = 32
const FILE = 'rows.key'

export function toRowKeyPath(folder: string): string {
  return join(folder, FILE)
}

export function hasRowKey(folder: KeyFolder): boolean {
  return folder.has(FILE)
}

/** `given`: the key itself, in place of the file. One is made where there is none. */
export function openRowKey(folder: KeyFolder, given?: Uint8Array): RowMac {
  if (given !== undefined) return createRowMac(given)
  if (!hasRowKey(folder)) folder.make(FILE, systemRandom.bytes(KEY_BYTES))
  return createRowMac(folder.read(FILE))
}

function createRowMac(bytes: Uint8Array): RowMac {
  if (bytes.length !== KEY_BYTES)
    throw new RangeError(`the key of rows has ${KEY_BYTES} bytes, and not ${bytes.length}`)
  const key = createSecretKey(bytes)
  const computeDigest = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  return {
    code: (text) => computeDigest(text).toString('base64'),
    isCode(text, code) {
      // As texts: several spellings of base64 say the same bytes, and only one was written.
      const [made, found] = [Buffer.from(computeDigest(text).toString('base64')), Buffer.from(code)]
      return made.length === found.length && timingSafeEqual(made, found)
    },
  }
}
