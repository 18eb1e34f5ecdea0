/**
 * Whether a call came before an act was over. What a call finds on the record it finds later than it came: its process may stand
 * still, or the store take its time, and an act that was under way when it came is over by then.
 *
 * R1 what was answered here as over before the call came, was over. That is told by the order of things in this process, in which
 *    many may fall into one millisecond.
 * R2 what a call of this process opened, and had not answered when the other came, was not over.
 * R3 about anything else, as what another process did, the store's time decides: the last entry of the flow is dated before the call
 *    came, or nobody knows that the act was over. In doubt it was not, so that nothing is done twice.
 *    By the time that the store was known to have when the call came, and by what it says since: whoever sets its clock in between, or
 *    stops this machine, moves one of them alone.
 * R4 what is under way is remembered as long as it is, and of what was answered only so much. A call that came before something was
 *    answered that is forgotten by now may have come before any act was over. The record remembers for an hour
 *    (`kept-claims.ts`): a call that came before that, as to a machine that slept since, is not decided.
 */
import { type Answer, formatInstant, isSettled, LIMITS, parseInstant } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import { DRIFT, HeardTime } from './heard-time.ts'

/** When a call came. `at`: by the time of the store, then or later. */
export type Came = { readonly turn: number; readonly monotonic: number; readonly at: number }

/** `isOpener`: the call that opened it was made here. `turn`: when it was answered as over first. */
type Answered = { readonly isOpener: boolean; readonly turn: number }

/** Acts that were answered, in two halves (`Recent`): those of the younger one were answered after all of the older. */
const HALF = 2_048

/** How often the time is asked for: an answer may have been long on its way, and the quickest of them says most. */
const LOOKS = 4

type OrderStore = Pick<Store, 'shared' | 'time' | 'readNow' | 'listFlowEntries'>

export class CallOrder {
  readonly #store: OrderStore
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #heard = new HeardTime()
  /** Opened by a call that has not ended. Begun anew whenever it is empty, see `InFlight`. */
  #underWay = new Set<string>()
  #young = new Map<string, Answered>()
  #old = new Map<string, Answered>()
  #turn = 0
  /** The last turn of those that are forgotten, and of the older half. */
  #forgotten = 0
  #oldTurn = 0

  constructor(store: OrderStore, clock: Pick<Clock, 'monotonic'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Of a call that comes now. */
  readCame(): Came {
    const monotonic = this.#clock.monotonic()
    const heard = this.#heard.computeEarliest(monotonic)
    return { turn: this.#turn, monotonic, at: Math.max(this.#store.time.getNow(), heard) }
  }

  /** What the store has just said. Where nobody else works on it, its time is known anyway. */
  recordNow(now: string): void {
    if (this.#store.shared) this.#heard.record(parseInstant(now) ?? 0, this.#clock.monotonic())
  }

  /** It came so long ago that what was under way then may not be known by its names any more. */
  isTooOld({ at }: Came): boolean {
    return this.#store.time.getNow() - at >= LIMITS.replyMs
  }

  /** A call of this process is about to open it. */
  markOpening(dfid: string): void {
    this.#underWay.add(dfid)
  }

  /** A call is about to be answered, with what became of it. */
  markAnswered(answer: Answer): void {
    const { dfid } = answer
    if (!isOverAsAnswered(answer) || this.#findAnswered(dfid) !== undefined) return
    if (this.#young.size >= HALF) this.#forgetOldHalf()
    this.#turn += 1
    this.#young.set(dfid, { isOpener: this.#underWay.has(dfid), turn: this.#turn })
  }

  /** The call that opened it has ended. Where it was not answered as over, nothing is known of it any more. */
  markEnded(dfid: string): void {
    this.#underWay.delete(dfid)
    if (this.#underWay.size === 0) this.#underWay = new Set()
  }

  /** Asked about a flow that is over now. */
  async isOverBefore(came: Came, dfid: string): Promise<boolean> {
    const answered = this.#findAnswered(dfid)
    if (answered !== undefined && answered.turn <= came.turn) return true
    if (answered?.isOpener === true || this.#underWay.has(dfid)) return false
    if (answered === undefined && came.turn < this.#forgotten) return false
    const last = (await this.#store.listFlowEntries(dfid, undefined, 1)).at(-1)
    if (last === undefined) return false
    const { at, trajectory } = last.envelope
    if (at >= formatInstant(Math.floor(came.at))) return false
    for (let look = 0; look < LOOKS; look++)
      if (at < (await this.#readEarliest(came, trajectory))) return true
    return false
  }

  /** The call came then or later, by what the store says now: that was asked for after the call came, and is answered by now. */
  async #readEarliest({ monotonic }: Came, trajectory: string): Promise<string> {
    const { now } = await this.#store.readNow(trajectory)
    this.recordNow(now)
    const elapsed = (this.#clock.monotonic() - monotonic) * (1 + DRIFT)
    return formatInstant(Math.floor((parseInstant(now) ?? 0) - elapsed))
  }

  #findAnswered(dfid: string): Answered | undefined {
    return this.#young.get(dfid) ?? this.#old.get(dfid)
  }

  #forgetOldHalf(): void {
    this.#forgotten = this.#oldTurn
    this.#oldTurn = this.#turn
    this.#old = this.#young
    this.#young = new Map()
  }
}

/** What is not known to be over may go on, as what was refused without an entry that says so. */
function isOverAsAnswered({ outcome, execution, trace_id }: Answer): boolean {
  const isRefused = outcome === 'REJECTED' || outcome === 'EXHAUSTED'
  if (execution === undefined) return isRefused && trace_id !== ''
  return execution.status !== 'PENDING' && isSettled(execution.status)
}
