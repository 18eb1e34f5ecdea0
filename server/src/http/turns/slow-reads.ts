/**
 * Reads of the history on the thread that decides: a few at a time, the others wait their turn; none holds
 * the thread for longer than a slice, and each has an end. After a slice the thread is free for as long as the
 * slice took: a single turn of the event loop would not be enough for a suspension, which needs many
 * (`slow-slices.ts`). The read of a caller who has hung up ends.
 *
 * P1 the number that waits is bounded, for one caller more tightly; one more is refused, and callers take turns.
 * P2 a caller who has lost the right to ask when their turn comes is answered nothing.
 */
import { LIMITS } from 'rubicon-kernel'
import type { Pause } from 'rubicon-runtime/evidence'
import type { Clock } from 'rubicon-runtime/ports'
import { getPrincipalName } from '../../people/principal.ts'
import { refuseOverload, toProblemReply } from '../problems/problem.ts'
import type { Reply, RouteRequest } from '../schemas/route.ts'
import { SlowSlices } from './slow-slices.ts'

export type { Pause }

export type SlowReadCaller = {
  /** Whose it is. */
  readonly asker: string
  readonly isGone?: RouteRequest['isGone']
  readonly ended?: RouteRequest['ended']
}

export function toSlowReadCaller({
  principal,
  isGone,
  ended,
}: Pick<RouteRequest, 'principal' | 'isGone' | 'ended'>): SlowReadCaller {
  return { asker: getPrincipalName(principal), isGone, ended }
}

type Waiting = { readonly asker: string; readonly begin: () => void }

export class SlowReads {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #slices: SlowSlices
  readonly #waiting: Waiting[] = []
  /** Whose are answered now. */
  readonly #open: string[] = []

  /** `slices`: of reads that work for each other. */
  constructor(clock: Pick<Clock, 'monotonic'>, slices: SlowSlices = new SlowSlices(clock)) {
    this.#clock = clock
    this.#slices = slices
  }

  async ask(
    { asker, isGone = () => false, ended = async () => null }: SlowReadCaller,
    work: (pause: Pause) => Promise<Reply>,
  ): Promise<Reply> {
    const isNext = this.#open.length < LIMITS.pastQuestions
    if (isNext) this.#open.push(asker)
    else if (this.#isFull(asker)) return tooMany
    // Whoever ends hands over: in between there is no room for somebody else.
    else await new Promise<void>((begin) => void this.#waiting.push({ asker, begin }))
    this.#slices.begin()
    try {
      if (isGone()) return refuseTooLong()
      const problem = isNext ? null : await ended()
      return problem ?? (await work(this.#createBoundedPause(isGone)))
    } catch (error) {
      if (error instanceof PastTooLong) return refuseTooLong()
      throw error
    } finally {
      this.#slices.end()
      this.#startNext(asker)
    }
  }

  #isFull(asker: string): boolean {
    const own = this.#waiting.filter((one) => one.asker === asker)
    return (
      own.length >= LIMITS.pastQuestionsWaitingEach ||
      this.#waiting.length >= LIMITS.pastQuestionsWaiting
    )
  }

  #startNext(asker: string): void {
    this.#open.splice(this.#open.indexOf(asker), 1)
    const other = this.#waiting.findIndex((one) => ![asker, ...this.#open].includes(one.asker))
    const [next] = this.#waiting.splice(Math.max(0, other), 1)
    if (next === undefined) return
    this.#open.push(next.asker)
    next.begin()
  }

  /** For work that goes on beside whoever asked. */
  createPause(): Pause {
    this.#slices.refresh()
    return () => this.#slices.pause()
  }

  #createBoundedPause(isGone: () => boolean): Pause {
    const pause = this.createPause()
    const end = this.#clock.monotonic() + LIMITS.pastQuestionMs
    return async () => {
      if (this.#clock.monotonic() > end || isGone()) throw new PastTooLong()
      await pause()
    }
  }
}

class PastTooLong extends Error {}

function refuseTooLong(): Reply {
  return toProblemReply({
    code: 'PAST_TOO_LONG',
    summary: `the query takes longer than ${LIMITS.pastQuestionMs / 1000} s`,
    why: 'queries about the past take time from decisions',
    fix: 'ask about fewer decisions, or about one agent',
  })
}

const tooMany = refuseOverload(
  'so many questions about the past wait already',
  'decisions come first',
)
