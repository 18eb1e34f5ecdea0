/**
 * How much of a log was read line by line before: so many events in so many bytes of this hash. Whoever finds the same bytes need not
 * read every line again. It is an aid: without it, or where it is not about these bytes, everything is read.
 */
import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { type ContentHash, computeContentHash, isContentHash } from './content-hash.ts'
import { readIfThere } from './read-if-there.ts'

export type CheckedLines = { readonly events: number; readonly bytes: number }

/** A pipe that took its place is not waited for. */
const ANEW =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_TRUNC |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK

/** Null: nothing is known of these bytes. */
export function findChecked(log: string, bytes: Uint8Array): CheckedLines | null {
  const found = parseChecked(readText(toPath(log)))
  if (found === null || found.bytes > bytes.length) return null
  const { events, bytes: length, hash } = found
  return computeContentHash(bytes.subarray(0, length)) === hash ? { events, bytes: length } : null
}

/** The event is recorded already: where this cannot be written, the next one reads more. */
export function writeChecked(log: string, events: number, bytes: Uint8Array): void {
  const hash = computeContentHash(bytes)
  try {
    const file = openSync(toPath(log), ANEW, 0o600)
    try {
      writeFileSync(file, `${JSON.stringify({ events, bytes: bytes.length, hash })}\n`)
    } finally {
      closeSync(file)
    }
  } catch {}
}

function toPath(log: string): string {
  return `${log}.checked`
}

function readText(path: string): string {
  try {
    return readIfThere(path)?.toString('utf8') ?? ''
  } catch {
    return ''
  }
}

function parseChecked(text: string): (CheckedLines & { readonly hash: ContentHash }) | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { events, bytes, hash } = value as Readonly<Record<string, unknown>>
  return isCount(events) && isCount(bytes) && isContentHash(hash) ? { events, bytes, hash } : null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
