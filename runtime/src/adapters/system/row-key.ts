/** The key of rows, in a file beside the signing keys: made on the first start, of no use to verify a ledger. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hex } from 'rubicon-kernel'
import type { RowMac } from '../../ports/row-mac.ts'
import { systemRandom } from './random.ts'

const KEY_BYTES = 32
const FILE = 'rows.key'

export function rowKeyPath(folder: string): string {
  return join(folder, FILE)
}

export function hasRowKey(folder: string): boolean {
  return existsSync(rowKeyPath(folder))
}

/** `given`: the key itself, in place of the file. One is made where there is none. */
export function openRowKey(folder: string, given?: Uint8Array): RowMac {
  if (given !== undefined) return macOf(given)
  const path = rowKeyPath(folder)
  if (!hasRowKey(folder)) makeKey(folder, path)
  return macOf(readFileSync(path))
}

/** Of processes that start at once the first makes it, and no other sees half of it. */
function makeKey(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const made = `${path}.${hex(systemRandom.bytes(8))}`
  writeFileSync(made, systemRandom.bytes(KEY_BYTES), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(made, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(made)
  }
}

function macOf(bytes: Uint8Array): RowMac {
  if (bytes.length !== KEY_BYTES)
    throw new RangeError(`the key of rows has ${KEY_BYTES} bytes, and not ${bytes.length}`)
  const key = createSecretKey(bytes)
  const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  return {
    code: (text) => digest(text).toString('base64'),
    isCode(text, code) {
      const [made, found] = [digest(text), Buffer.from(code, 'base64')]
      return made.length === found.length && timingSafeEqual(made, found)
    },
  }
}
