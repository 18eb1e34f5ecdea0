import { decodeUtf8, LIMITS } from 'rubicon-kernel'
import { SecretUnavailable } from '../../ports/secrets.ts'

/** Bytes as a secret. One line end at the end belongs to the file, not to the secret. */
export function parseSecret(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  if (text === undefined) throw new SecretUnavailable('is not UTF-8')
  return checkSecret(text.replace(/\r?\n$/, ''))
}

/** What is short occurs by chance, and could not be removed from what a provider says. */
export function checkSecret(value: string): string {
  if (value.length < LIMITS.secretShortest)
    throw new SecretUnavailable(`is shorter than ${LIMITS.secretShortest} characters`)
  if (value.length > LIMITS.secretLength)
    throw new SecretUnavailable(`is longer than ${LIMITS.secretLength} characters`)
  if (value.includes('\0') || !value.isWellFormed()) throw new SecretUnavailable('is not text')
  return value
}
