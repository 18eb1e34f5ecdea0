/** Verifies a file without holding all of it, where it is too large for a bundle. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import type { VerifyOptions } from './audit.ts'
import type { AuditCrypto } from './crypto.ts'
import { BUNDLE_LIMITS } from './limits.ts'
import { createLineSplitter } from './read-ledger.ts'
import type { Report } from './report.ts'
import { verifyAny } from './verify-any.ts'
import { beginLedger } from './verify-ledger.ts'

const PIECE = 1_048_576

/** `whole`: up to this size it is read at once; a bundle is never larger. */
export function verifyFile(
  path: string,
  crypto: AuditCrypto,
  options: VerifyOptions = {},
  whole: number = BUNDLE_LIMITS.bytes,
): Report {
  const file = openSync(path, 'r')
  try {
    if (fstatSync(file).size <= whole) return verifyAny(readFileSync(file), crypto, options)
    const check = beginLedger(crypto, options)
    const splitter = createLineSplitter()
    const piece = new Uint8Array(PIECE)
    for (let length = readSync(file, piece); length > 0; length = readSync(file, piece))
      for (const line of splitter.push(piece.subarray(0, length))) check.push(line)
    for (const line of splitter.end()) check.push(line)
    return check.end()
  } finally {
    closeSync(file)
  }
}
