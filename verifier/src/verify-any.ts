import { BUNDLE_FORMAT, isObject, parseJson } from 'rubicon-kernel'
import type { VerifyOptions } from './audit.ts'
import type { AuditCrypto } from './crypto/crypto.ts'
import { BUNDLE_LIMITS } from './reading/limits.ts'
import { iterateLedgerLines, type LedgerSource } from './reading/read-ledger.ts'
import type { Report } from './report/report.ts'
import { verifyBundle } from './verify-bundle.ts'
import { verifyLedgerText } from './verify-ledger.ts'

/** Takes a file for what its first line says it is; one that says nothing is a broken ledger. */
export function verifyAny(
  source: LedgerSource,
  crypto: AuditCrypto,
  options: VerifyOptions = {},
): Report {
  return isBundle(source)
    ? verifyBundle(source, crypto, options)
    : verifyLedgerText(source, crypto, options)
}

/** By its first line. */
export function isBundle(source: LedgerSource): boolean {
  const first = iterateLedgerLines(source).next()
  const text = first.done ? undefined : first.value.text
  if (text === undefined) return false
  const value = parseJson(text, BUNDLE_LIMITS)
  return value.ok && isObject(value.value) && value.value.format === BUNDLE_FORMAT
}
