/**
 * Questions about the past are asked beside an engine that decides: only few at a time, the others wait
 * their turn, none holds the deciding thread for longer than a slice, and none goes on for ever. After a
 * slice the thread is everybody else's for as long as it took: a turn of it alone is not enough for whoever
 * needs many of them, and a suspension does. A question of somebody who has hung up ends.
 */
import { LIMITS } from 'rubicon-kernel'
import type { Pause } from '../evidence/in-turns.ts'
import type { Clock } from '../ports/clock.ts'
import { newcomers } from './newcomers.ts'
import { refuseOverload, toProblemReply } from './problem.ts'
import type { Reply } from './route.ts'

export type { Pause }

export class PastQuestions {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #waiting: (() => void)[] = []
  #open = 0

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  async ask(
    work: (pause: Pause) => Promise<Reply>,
    isGone: () => boolean = () => false,
  ): Promise<Reply> {
    if (this.#open < LIMITS.pastQuestions) this.#open += 1
    else if (this.#waiting.length >= LIMITS.pastQuestionsWaiting) return refuseTooMany()
    // Whoever ends hands over: in between there is no room for somebody else.
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    try {
      return isGone() ? refuseTooLong() : await work(this.#createBoundedPause(isGone))
    } catch (error) {
      if (error instanceof PastTooLong) return refuseTooLong()
      throw error
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#open -= 1
      else next()
    }
  }

  /** For work that goes on beside whoever asked. */
  createPause(): Pause {
    let since = this.#clock.monotonic()
    return async () => {
      const tookMs = this.#clock.monotonic() - since
      if (tookMs < LIMITS.pastSliceMs) return
      // Timers count from when the turn began, and this one has lasted a slice already.
      await new Promise((resolve) => setImmediate(resolve))
      await new Promise((resolve) => setTimeout(resolve, Math.min(tookMs, LIMITS.pastRestMs)))
      await newcomers.letIn()
      since = this.#clock.monotonic()
    }
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
    summary: `the question takes longer than ${LIMITS.pastQuestionMs / 1000} s`,
    why: 'what is asked about the past takes time from decisions',
    fix: 'ask about fewer decisions, or about one agent',
  })
}

function refuseTooMany(): Reply {
  const summary = `${LIMITS.pastQuestionsWaiting} questions about the past wait already`
  return refuseOverload(summary, 'decisions come first')
}
