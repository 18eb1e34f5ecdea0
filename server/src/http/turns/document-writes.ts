/**
 * Documents are written one at a time, beside decisions. One has a record for each of its words, tens of thousands of
 * them: whoever wrote several at once would keep everybody waiting, and a suspension with them.
 *
 * D1 after each slice of the work the thread is everybody else's.
 * D2 whoever may no longer ask when their turn comes writes nothing.
 * D3 so many wait, of one asker fewer, and one more is refused; those of another asker go in between.
 */
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from 'rubicon-runtime/ports'
import { getPrincipalName } from '../../people/principal.ts'
import { refuseOverload } from '../problems/problem.ts'
import type { Reply, RouteRequest } from '../schemas/route.ts'
import { type Pause, SlowReads } from './slow-reads.ts'

type Waiting = { readonly asker: string; readonly begin: () => void }

export class DocumentWrites {
  readonly #turns: SlowReads
  readonly #waiting: Waiting[] = []
  /** Whose document is written now. */
  #asker: string | null = null

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#turns = new SlowReads(clock)
  }

  async write(
    { principal, ended }: Pick<RouteRequest, 'principal' | 'ended'>,
    work: (pause: Pause) => Promise<Reply>,
  ): Promise<Reply> {
    const asker = getPrincipalName(principal)
    const isNext = this.#asker === null
    if (isNext) this.#asker = asker
    else if (this.#isFull(asker)) return tooMany
    // Whoever ends hands over: in between there is no room for somebody else.
    else await new Promise<void>((begin) => void this.#waiting.push({ asker, begin }))
    try {
      const problem = isNext ? null : await ended()
      return problem ?? (await work(this.#turns.createPause()))
    } finally {
      this.#beginNextWrite()
    }
  }

  #isFull(asker: string): boolean {
    const own = this.#waiting.filter((one) => one.asker === asker)
    return (
      own.length >= LIMITS.documentsWaitingEach || this.#waiting.length >= LIMITS.documentsWaiting
    )
  }

  #beginNextWrite(): void {
    const other = this.#waiting.findIndex(({ asker }) => asker !== this.#asker)
    const [next] = this.#waiting.splice(Math.max(0, other), 1)
    this.#asker = next?.asker ?? null
    next?.begin()
  }
}

const tooMany = refuseOverload(
  'so many documents wait to be written already',
  'decisions come first',
)
