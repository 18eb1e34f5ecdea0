/**
 * Long texts under way; so many at a time, since each holds a page of the ledger, and of one asker fewer.
 *
 * D1 nothing is done for a download that has no place.
 * D2 of all of them together one piece is made at a time, and the thread left to others for as long as that took: readers
 *    who begin again and again would have the deciding thread to themselves.
 */
import { LIMITS, type Result } from 'rubicon-kernel'
import type { Clock } from 'rubicon-runtime/ports'
import { buildHttpProblem } from '../problems/problem.ts'
import type { Reply, RouteRequest } from '../schemas/route.ts'
import { SharedTurns } from './shared-turns.ts'
import { textStream } from './text-stream.ts'

/** A browser keeps it as a file. `name` is ours. */
export function buildFileHeaders(name: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  }
}

/** Cut off where whoever asked may no longer ask; a file that is cut shows that it is. */
export async function* passWhileAllowed(
  pieces: AsyncIterable<string>,
  ended: RouteRequest['ended'],
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    if ((await ended()) !== null) throw new Error('whoever asked may no longer ask')
    yield piece
  }
}

export class Downloads {
  readonly #report: (line: string) => void
  readonly #turns: SharedTurns
  /** Whose are under way. */
  readonly #open: string[] = []

  constructor(report: (line: string) => void, clock: Pick<Clock, 'monotonic'>) {
    this.#report = report
    this.#turns = new SharedTurns(clock)
  }

  /** A place is taken now, so that those who ask at the same moment count each other. */
  async reply(
    asker: string,
    name: string,
    isGone: () => boolean,
    prepare: () => Promise<Result<AsyncIterable<string>, Reply>>,
  ): Promise<Reply> {
    const own = this.#open.filter((one) => one === asker)
    // Whoever takes a little now and then is cut off by nothing.
    if (this.#open.length >= LIMITS.downloads || own.length >= LIMITS.downloadsEach)
      return buildHttpProblem('STREAMS_FULL')
    this.#open.push(asker)
    const leave = (): void => void this.#open.splice(this.#open.indexOf(asker), 1)
    try {
      const prepared = await this.#turns.take(asker, isGone, prepare)
      if (prepared?.ok === true)
        return this.#buildReply(name, this.#makeInTurns(asker, isGone, prepared.value), leave)
      leave()
      // Nobody hears what is said to whoever has hung up.
      return prepared === null ? buildHttpProblem('STREAMS_FULL') : prepared.error
    } catch (error) {
      leave()
      throw error
    }
  }

  #buildReply(name: string, pieces: AsyncIterable<Uint8Array>, leave: () => void): Reply {
    const stream = textStream(pieces, this.#report)
    return {
      status: 200,
      body: '',
      headers: buildFileHeaders(name),
      stream: {
        start: (response) => {
          // Who hung up before it began does not hang up again.
          if (response.destroyed) return leave()
          response.on('close', leave)
          stream.start(response)
        },
        stop: stream.stop,
      },
    }
  }

  /** As bytes: to encode a piece takes about as long as to read it. */
  async *#makeInTurns(
    asker: string,
    isGone: () => boolean,
    pieces: AsyncIterable<string>,
  ): AsyncGenerator<Uint8Array> {
    const iterator = pieces[Symbol.asyncIterator]()
    const makePiece = async (): Promise<Uint8Array | null> => {
      const { done, value } = await iterator.next()
      return done === true ? null : Buffer.from(value)
    }
    try {
      for (;;) {
        const piece = await this.#turns.take(asker, isGone, makePiece)
        if (piece === null) return
        yield piece
      }
    } finally {
      await iterator.return?.()
    }
  }
}
