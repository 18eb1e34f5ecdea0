/**
 * How much of a log was read line by line before: so many events in so many bytes of this checksum. Whoever finds the same bytes need not
 * read every line again. It is an aid: without it, or where it is not about these bytes, everything is read.
 *
 * A checksum, not a hash: it finds damage, in a seventh of the time, and whoever can write the log on purpose can write this file too.
 */
import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
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
  const { events, bytes: length, checksum } = found
  return crc32(bytes.subarray(0, length)) === checksum ? { events, bytes: length } : null
}

/** The event is recorded already: where this cannot be written, the next one reads more. */
export function writeChecked(log: string, events: number, bytes: Uint8Array): void {
  const checksum = crc32(bytes)
  try {
    const file = openSync(toPath(log), ANEW, 0o600)
    try {
      writeFileSync(file, `${JSON.stringify({ events, bytes: bytes.length, checksum })}\n`)
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

function parseChecked(text: string): (CheckedLines & { readonly checksum: number }) | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { events, bytes, checksum } = value as Readonly<Record<string, unknown>>
  if (!isCount(events) || !isCount(bytes) || !isCount(checksum)) return null
  return { events, bytes, checksum }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
