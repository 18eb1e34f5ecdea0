/**
 * Whether a call came before an act was over. What a call finds on the record it finds later than it came: its process may stand
 * still, or the store take its time, and an act that was under way when it came is over by then.
 *
 * R1 what was answered here as over before the call came, was over. That is told by the order of things in this process, in which
 *    many may fall into one millisecond.
 * R2 what a call of this process opened, and had not answered when the other came, was not over.
 * R3 about anything else, as what another process did, the store's time decides: the last entry of the flow is dated before the call
 *    came, or nobody knows that the act was over. In doubt it was not, so that nothing is done twice.
 * R4 only so many are remembered. What was forgotten is judged by R3.
 */
import { type Answer, formatInstant, isSettled, parseInstant } from 'rubicon-kernel'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'

/** When a call came. */
export type Came = { readonly turn: number; readonly monotonic: number }

/** `turn`: when it was answered as over; null: the call that opened it is under way. */
type Known = { readonly isOpener: boolean; readonly turn: number | null }

/** Calls that are decided at once are fewer by far. */
const REMEMBERED = 4_096

/** So much more may pass on the clock of the store than is measured here, in each millisecond. */
const DRIFT = 0.001

/** How often the time is asked for: an answer may have been long on its way, and the quickest of them says most. */
const LOOKS = 4

export class CallOrder {
  readonly #store: Pick<Store, 'readNow' | 'listFlowEntries'>
  readonly #clock: Pick<Clock, 'monotonic'>
  /** By dfid, those that were touched last at the end. */
  readonly #known = new Map<string, Known>()
  #turn = 0

  constructor(store: Pick<Store, 'readNow' | 'listFlowEntries'>, clock: Pick<Clock, 'monotonic'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Of a call that comes now. */
  readCame(): Came {
    return { turn: this.#turn, monotonic: this.#clock.monotonic() }
  }

  /** A call of this process is about to open it. */
  markOpening(dfid: string): void {
    this.#remember(dfid, { isOpener: true, turn: null })
  }

  /** A call is about to be answered, with what became of it. */
  markAnswered(answer: Answer): void {
    const { dfid } = answer
    const known = this.#known.get(dfid)
    if (isOverAsAnswered(answer) && (known === undefined || known.turn === null))
      this.#remember(dfid, { isOpener: known !== undefined, turn: ++this.#turn })
  }

  /** The call that opened it has ended. Where it was not answered as over, nothing is known of it any more. */
  markEnded(dfid: string): void {
    if (this.#known.get(dfid)?.turn === null) this.#known.delete(dfid)
  }

  /** Asked about a flow that is over now. */
  async isOverBefore(came: Came, dfid: string): Promise<boolean> {
    const known = this.#known.get(dfid)
    if (known?.turn != null && known.turn <= came.turn) return true
    if (known?.isOpener === true) return false
    const last = (await this.#store.listFlowEntries(dfid)).at(-1)
    if (last === undefined) return false
    const { at, trajectory } = last.envelope
    for (let look = 0; look < LOOKS; look++)
      if (at < (await this.#readEarliest(came, trajectory))) return true
    return false
  }

  /** The call came then or later, by the store's time: that was asked for after the call came, and is answered by now. */
  async #readEarliest({ monotonic }: Came, trajectory: string): Promise<string> {
    const { now } = await this.#store.readNow(trajectory)
    const elapsed = (this.#clock.monotonic() - monotonic) * (1 + DRIFT)
    return formatInstant(Math.floor((parseInstant(now) ?? 0) - elapsed))
  }

  #remember(dfid: string, known: Known): void {
    this.#known.delete(dfid)
    this.#known.set(dfid, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest)
  }
}

/** What is not known to be over may go on, as what was refused without an entry that says so. */
function isOverAsAnswered({ outcome, execution, trace_id }: Answer): boolean {
  const isRefused = outcome === 'REJECTED' || outcome === 'EXHAUSTED'
  if (execution === undefined) return isRefused && trace_id !== ''
  return execution.status !== 'PENDING' && isSettled(execution.status)
}
