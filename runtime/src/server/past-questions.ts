/**
 * Questions about the past are asked beside an engine that decides: only few at a time, the others wait
 * their turn, and none holds the deciding thread for longer than a slice.
 */
import { LIMITS } from 'rubicon-kernel'
import type { Pause } from '../evidence/in-turns.ts'
import type { Clock } from '../ports/clock.ts'
import { overloaded } from './problem.ts'
import type { Reply } from './route.ts'

export type { Pause }

export class PastQuestions {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #waiting: (() => void)[] = []
  #open = 0

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  async ask(work: (pause: Pause) => Promise<Reply>): Promise<Reply> {
    if (this.#open < LIMITS.pastQuestions) this.#open += 1
    else if (this.#waiting.length >= LIMITS.pastQuestionsWaiting) return tooMany()
    // Whoever ends hands over: in between there is no room for somebody else.
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    try {
      return await work(this.pause())
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#open -= 1
      else next()
    }
  }

  /** For work that goes on beside whoever asked. */
  pause(): Pause {
    let since = this.#clock.monotonic()
    return async () => {
      if (this.#clock.monotonic() - since < LIMITS.pastSliceMs) return
      await new Promise((resolve) => setImmediate(resolve))
      since = this.#clock.monotonic()
    }
  }
}

function tooMany(): Reply {
  const summary = `${LIMITS.pastQuestionsWaiting} questions about the past wait already`
  return overloaded(summary, 'decisions come first')
}
