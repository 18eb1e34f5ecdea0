/** Verifies a file without holding all of it, where it is no bundle. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import type { VerifyOptions } from './audit.ts'
import type { AuditCrypto } from './crypto/crypto.ts'
import { BUNDLE_LIMITS } from './reading/limits.ts'
import { createLineSplitter } from './reading/read-ledger.ts'
import type { Report } from './report/report.ts'
import { isBundle, verifyAny } from './verify-any.ts'
import { beginLedger } from './verify-ledger.ts'

const PIECE = 1_048_576
const LF = 0x0a

/** Verifies a file of any size, piece by piece. */
export function verifyFile(path: string, crypto: AuditCrypto, options: VerifyOptions = {}): Report {
  const file = openSync(path, 'r')
  try {
    if (mayBeBundle(file)) return verifyAny(readFileSync(file), crypto, options)
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

/** A bundle is one line. One that is longer than a piece is read to see what it is, if it is not too long. */
function mayBeBundle(file: number): boolean {
  if (fstatSync(file).size > BUNDLE_LIMITS.bytes) return false
  const piece = new Uint8Array(PIECE)
  const begun = piece.subarray(0, readSync(file, piece, 0, PIECE, 0))
  return !begun.includes(LF) || isBundle(begun)
}
