/**
 * Tells on stderr how far long work is. Whoever works knows only a function to call.
 *
 * 1. Nothing is told of work that is done before anybody would wonder.
 * 2. At a terminal one line is written over again; elsewhere a line comes every few seconds.
 */
import { formatAmount } from '../demo/amount.ts'
import type { CommandCall } from './call.ts'
import { formatDuration } from './span-text.ts'

/** So much is done, of so much if that is known. */
export type Progress = (done: number, total: number | null) => void

export type ShownProgress = {
  readonly tell: Progress
  /** The line goes; nothing is told any more. */
  readonly end: () => void
}

/** Of work on `what`, such as `entries`. */
export type ProgressOf = (what: string) => ShownProgress

export type ProgressPlace = {
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean }
  readonly quiet: boolean
  /** Milliseconds that only go forward. */
  readonly now?: () => number
}

/** Short work says nothing. */
const FIRST_MS = 500
const REDRAWN_MS = 100
const LINES_MS = 5_000
const CLEAR = '\r\u001b[K'

/** For whoever does not ask. */
export const ignoreProgress: ProgressOf = () => ({ tell: () => {}, end: () => {} })

/** A verb's own; with `--json` it is silent. */
export function createVerbProgress({ streams, out, options }: CommandCall): ProgressOf {
  return createProgress({ stream: streams.stderr, quiet: out.json || options.hasFlag('quiet') })
}

export function createProgress({ stream, quiet, now = readMonotonic }: ProgressPlace): ProgressOf {
  if (quiet) return ignoreProgress
  const isTTY = stream.isTTY === true
  const every = isTTY ? REDRAWN_MS : LINES_MS
  return (what) => {
    const begun = now()
    let next = begun + (isTTY ? FIRST_MS : LINES_MS)
    let isShown = false
    return {
      tell(done, total) {
        const at = now()
        if (at < next) return
        next = at + every
        isShown = true
        const text = formatProgress(what, done, total, at - begun)
        stream.write(isTTY ? `${CLEAR}› ${text}` : `› ${text}\n`)
      },
      end() {
        next = Number.POSITIVE_INFINITY
        if (isShown && isTTY) stream.write(CLEAR)
      },
    }
  }
}

function readMonotonic(): number {
  return performance.now()
}

/** `1,200 of 10,000 entries, 4,000 a second, 3 s left` */
function formatProgress(what: string, done: number, total: number | null, ms: number): string {
  const rate = ms > 0 ? (done * 1000) / ms : 0
  const of = total === null ? '' : ` of ${formatAmount(total)}`
  const parts = [`${formatAmount(done)}${of} ${what}`]
  if (rate > 0)
    parts.push(`${formatAmount(rate < 10 ? rate.toFixed(1) : Math.round(rate))} a second`)
  if (rate > 0 && total !== null)
    parts.push(`${formatDuration(((total - done) * 1000) / rate)} left`)
  return parts.join(', ')
}
