/** What every signal is made with: whom to tell, what time it is, and what was told already. */
import { formatInstant, isReasonCode, type ReasonCode } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import type { LogLine, Span, Telemetry } from '../../ports/telemetry.ts'
import type { RuleBook } from '../deps.ts'

/** A time of day that durations can be added to: the clock may jump in between. */
export type ClockReading = { readonly at: number; readonly monotonic: number }

export type Interval = Pick<Span, 'start' | 'end'>

/** Things that can happen only once are told once, of as many flows as anybody has open. */
const REMEMBERED = 4_096

export class Teller {
  readonly telemetry: Telemetry
  readonly book: RuleBook
  readonly store: Store
  readonly #clock: Clock
  readonly #told = new Set<string>()
  /** Of proposals under way, by flow: how many, and what waits for the last of them. */
  readonly #underWay = new Map<string, { count: number; after: ((end: number) => void)[] }>()
  #numbered = 0

  constructor(telemetry: Telemetry, clock: Clock, book: RuleBook, store: Store) {
    this.telemetry = telemetry
    this.#clock = clock
    this.book = book
    this.store = store
  }

  readMoment(): ClockReading {
    return { at: this.#clock.now(), monotonic: this.#clock.monotonic() }
  }

  measureSince({ at, monotonic }: ClockReading): Interval {
    return { start: at, end: at + (this.#clock.monotonic() - monotonic) }
  }

  writeLine(said: Omit<LogLine, 'at'>): void {
    this.telemetry.log({ at: formatInstant(Math.floor(this.#clock.now())), ...said })
  }

  beginProposal(dfid: string): void {
    const known = this.#underWay.get(dfid)
    if (known === undefined) this.#underWay.set(dfid, { count: 1, after: [] })
    else known.count += 1
  }

  endProposal(dfid: string, end: number): void {
    const known = this.#underWay.get(dfid)
    if (known === undefined) return
    known.count -= 1
    if (known.count > 0) return
    this.#underWay.delete(dfid)
    for (const tell of known.after) tell(end)
  }

  /** A flow that a proposal ends lasts until that is answered. `tell` gets the later of both ends. */
  tellAfterProposals(dfid: string, end: number, tell: (end: number) => void): void {
    const known = this.#underWay.get(dfid)
    if (known === undefined) tell(end)
    else known.after.push((last) => tell(Math.max(end, last)))
  }

  /** A name that no other engine gives: for what the ledger does not number. */
  mintOrdinal(): string {
    this.#numbered += 1
    return `${this.store.epoch}.${this.#numbered}`
  }

  /** False: it was told before. */
  claimOnce(name: string): boolean {
    if (this.#told.has(name)) return false
    this.#told.add(name)
    const [oldest] = this.#told
    if (this.#told.size > REMEMBERED && oldest !== undefined) this.#told.delete(oldest)
    return true
  }
}

/** A code of the closed list, or nothing: contracts have words of their own. */
export function toKnownCode(text: string | null | undefined): {
  readonly reason_code?: ReasonCode
} {
  return text != null && isReasonCode(text) ? { reason_code: text } : {}
}

/** The attributes of a span that did not do what it was for. */
export function toFailureAttributes(code: string | null | undefined): {
  readonly 'error.type'?: string
  readonly 'rubicon.reason_code'?: string
} {
  const { reason_code } = toKnownCode(code)
  return reason_code === undefined
    ? {}
    : { 'error.type': reason_code, 'rubicon.reason_code': reason_code }
}
