/**
 * Takes an exported ledger apart into lines, without ever holding more than one of them as text.
 *
 * Bytes are split before they are decoded: one byte that is no UTF-8 spoils its own line only.
 */
import {
  decodeUtf8,
  err,
  joinBytes,
  type LedgerHeader,
  ok,
  parseJson,
  parseLedgerHeader,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Problem } from '../report/report.ts'
import { LINE_LIMITS } from './limits.ts'

/** A file as it was read: text, or its bytes. */
export type LedgerSource = string | Uint8Array

export type Line = {
  /** Undefined when the bytes are not UTF-8. */
  readonly text: string | undefined
  /** False for a last line without its LF. */
  readonly ended: boolean
  /** The bytes of the text, where it came as such; they stand until the next lines are asked for. */
  readonly bytes?: Uint8Array
}

const LF = 0x0a

/** The lines of a ledger, one after the other. */
export function* iterateLedgerLines(source: LedgerSource): Generator<Line> {
  let start = 0
  while (start < source.length) {
    const end = typeof source === 'string' ? source.indexOf('\n', start) : source.indexOf(LF, start)
    const stop = end < 0 ? source.length : end
    yield { text: decodeLine(source, start, stop), ended: end >= 0 }
    start = stop + 1
  }
}

/** The same of bytes that come in pieces; of a line that is not ended yet the pieces are kept. */
export type LineSplitter = {
  readonly push: (bytes: Uint8Array) => readonly Line[]
  /** A last line without its LF. */
  readonly end: () => readonly Line[]
}

export function createLineSplitter(): LineSplitter {
  let begun: Uint8Array[] = []
  const take = (last: Uint8Array, ended: boolean): Line => {
    const bytes = begun.length === 0 ? last : joinBytes(...begun, last)
    begun = []
    return { text: decodeUtf8(bytes), ended, bytes }
  }
  return {
    push(bytes) {
      const lines: Line[] = []
      let start = 0
      for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
        lines.push(take(bytes.subarray(start, end), true))
        start = end + 1
      }
      if (start < bytes.length) begun.push(bytes.slice(start))
      return lines
    },
    end: () => (begun.length === 0 ? [] : [take(new Uint8Array(0), false)]),
  }
}

function decodeLine(source: LedgerSource, start: number, stop: number): string | undefined {
  if (typeof source === 'string') return source.slice(start, stop)
  return decodeUtf8(source.subarray(start, stop))
}

export function readHeader(line: Line | undefined): Result<LedgerHeader, Problem> {
  const toUnreadableHeader = (detail: string): Result<never, Problem> =>
    err({ code: 'ENTRY_UNREADABLE', detail })
  if (line?.text === undefined)
    return toUnreadableHeader('the header is not there, or is not UTF-8')
  const value = parseJson(line.text, LINE_LIMITS)
  if (!value.ok) return toUnreadableHeader(`header: ${value.error.detail}`)
  const header = parseLedgerHeader(value.value)
  if (!header.ok) return toUnreadableHeader(header.error)
  if (!line.ended || toCanonicalText(value.value) !== line.text) {
    return err({ code: 'ENTRY_NOT_CANONICAL', detail: 'the header is not in canonical form' })
  }
  return header.ok ? ok(header.value) : header
}
