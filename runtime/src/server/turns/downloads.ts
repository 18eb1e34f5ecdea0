/**
 * Long texts under way; so many at a time, since each holds a page of the ledger, and of one asker fewer. Their
 * pages are read one after the other, beside an engine that decides.
 */
import { LIMITS } from 'rubicon-kernel'
import { buildHttpProblem } from '../problems/problem.ts'
import type { Reply, RouteRequest } from '../schemas/route.ts'
import type { PageReads } from './page-reads.ts'
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

/** A page at a time, of all that are read so; it ends with whoever takes it. */
export async function* readInTurns<T>(
  pages: AsyncIterable<T>,
  reads: PageReads,
  isGone: () => boolean,
): AsyncGenerator<T> {
  const iterator = pages[Symbol.asyncIterator]()
  for (;;) {
    const page = await reads.read(isGone, () => iterator.next())
    if (page === null || page.done === true) return
    yield page.value
  }
}

export class Downloads {
  readonly #report: (line: string) => void
  /** Whose are under way. */
  readonly #open: string[] = []

  constructor(report: (line: string) => void) {
    this.#report = report
  }

  /** A place is taken now, so that those who ask at the same moment count each other. */
  reply(asker: string, name: string, pieces: AsyncIterable<string>): Reply {
    const own = this.#open.filter((one) => one === asker)
    // Whoever takes a little now and then is cut off by nothing.
    if (this.#open.length >= LIMITS.downloads || own.length >= LIMITS.downloadsEach)
      return buildHttpProblem('STREAMS_FULL')
    this.#open.push(asker)
    const leave = (): void => void this.#open.splice(this.#open.indexOf(asker), 1)
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
}
