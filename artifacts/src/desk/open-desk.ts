/**
 * A desk in a process of its own (0119). Parsers are code of others, some of it native: what ends a parser ends that process, and the request
 * that did it is refused.
 *
 * K1 one request at a time; each is answered once, with what was found or with why it was not.
 * K2 one that takes longer than the deadline is refused, and its process is ended; the next request starts another. The deadline begins
 *    again with each text that is parsed, so that a project of many is read once; all of it together has a limit.
 * K3 so many wait at most; one more is refused at once.
 * K4 a text that ends its process, or keeps it for most of the deadline, is not parsed again: a plan is made once more without it.
 * K5 behind `close` there is no process, and none outlives the one that opened the desk.
 */
import type { ChildProcess } from 'node:child_process'
import { err, type Result } from 'rubicon-kernel'
import { ARTIFACT_LIMITS } from '../limits.ts'
import type { Desk, DeskAnswerTo, DeskProblem } from './desk-answer.ts'
import { type DeskReply, parseReply } from './desk-messages.ts'
import type { DeskRequest } from './desk-request.ts'
import { forkDesk } from './fork-desk.ts'
import { parseAnswer } from './parse-answer.ts'
import { UnreadableTexts } from './unreadable-texts.ts'

export type DeskOptions = {
  /** Of one request, and of each text that is parsed for it. */
  readonly deadlineMs?: number
  /** Of one request with all texts that are parsed for it. */
  readonly parsingMs?: number
  /** Requests that wait while one is answered. */
  readonly waiting?: number
}

/** Nothing is started before somebody asks. */
export function openDesk(options: DeskOptions = {}): Desk {
  return new ProcessDesk({
    deadlineMs: options.deadlineMs ?? ARTIFACT_LIMITS.deskMs,
    parsingMs: options.parsingMs ?? ARTIFACT_LIMITS.deskParsingMs,
    waiting: options.waiting ?? ARTIFACT_LIMITS.deskWaiting,
  })
}

type Waiting = {
  readonly id: number
  readonly request: string
  readonly artifact: string | null
  /** It is about other texts than those that it reads for the sake of all. */
  readonly hasProject: boolean
  /** With the text of the answer. */
  readonly answer: (text: string) => void
  readonly refuse: (problem: DeskProblem) => void
  /** When the process began with it. */
  takenAt: number | null
  /** A process ended before it had begun. */
  isSecond: boolean
  /** The text that is parsed for it, and since when. */
  reading: { readonly hash: string; readonly since: number } | null
  /** How often it was asked again without a text. */
  without: number
}

/** One request meets so many texts that end a process; the next goes on from there. */
const MOST_WITHOUT = 4

class ProcessDesk implements Desk {
  readonly #options: Required<DeskOptions>
  readonly #waiting: Waiting[] = []
  readonly #unreadable = new UnreadableTexts()
  #current: Waiting | null = null
  #child: ChildProcess | null = null
  /** It has said something: what it is asked now does not wait for its start. */
  #isUp = false
  #timer: NodeJS.Timeout | null = null
  #asked = 0
  #isClosed = false

  constructor(options: Required<DeskOptions>) {
    this.#options = options
  }

  ask<R extends DeskRequest>(request: R): Promise<Result<DeskAnswerTo<R>, DeskProblem>> {
    const text = JSON.stringify(request)
    const refused = this.#findRefusal(text.length)
    if (refused !== null) return Promise.resolve(err(refused))
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve) => {
      this.#waiting.push({
        ...{ id, request: text, artifact: findArtifact(request), takenAt: null, isSecond: false },
        ...{ hasProject: 'project' in request, reading: null, without: 0 },
        answer: (answer) => resolve(readAnswer(request, answer)),
        refuse: (problem) => resolve(err(problem)),
      })
      this.#continue()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const left = [this.#current, ...this.#waiting.splice(0)]
    this.#current = null
    for (const one of left) one?.refuse(CLOSED)
    await this.#endChild()
  }

  #findRefusal(length: number): DeskProblem | null {
    if (this.#isClosed) return CLOSED
    const { deskBytes } = ARTIFACT_LIMITS
    if (length > deskBytes)
      return { code: 'REQUEST_INVALID', detail: `a request has at most ${deskBytes} characters` }
    const { waiting } = this.#options
    if (this.#waiting.length < waiting) return null
    return { code: 'DESK_BUSY', detail: `${waiting} requests wait already: ask again in a moment` }
  }

  /** K1. */
  #continue(): void {
    if (this.#current !== null || this.#isClosed) return
    const next = this.#waiting.shift()
    if (next === undefined) {
      this.#letGo()
      return
    }
    this.#current = next
    try {
      const child = this.#child ?? this.#start()
      child.ref()
      child.channel?.ref()
      this.#setDeadline(this.#isUp ? this.#options.deadlineMs : ARTIFACT_LIMITS.deskStartMs)
      const unreadable = this.#unreadable.list()
      child.send({ id: next.id, request: next.request, unreadable }, (error) => {
        if (error !== null) this.#handleEnd(child, error.message)
      })
    } catch (cause) {
      this.#refuse({
        code: 'DESK_FAILED',
        detail: `no process could be started: ${cause instanceof Error ? cause.message : cause}`,
      })
    }
  }

  #start(): ChildProcess {
    const child = forkDesk()
    this.#isUp = false
    child.on('message', (value) => {
      const reply = parseReply(value)
      if (reply === null || child !== this.#child) return
      this.#isUp = true
      this.#handleReply(reply)
    })
    child.on('error', ({ message }) => this.#handleEnd(child, message))
    child.on('exit', (code, signal) => this.#handleEnd(child, `${signal ?? `exit ${code}`}`))
    this.#child = child
    return child
  }

  #handleReply({ id, answer, reading }: DeskReply): void {
    const current = this.#current
    if (current === null || current.id !== id) return
    if (answer === null) {
      const now = performance.now()
      const { deadlineMs, parsingMs } = this.#options
      current.takenAt ??= now
      this.#setDeadline(Math.min(deadlineMs, current.takenAt + parsingMs - now))
      current.reading = reading === null ? null : { hash: reading, since: now }
      return
    }
    this.#clearDeadline()
    this.#current = null
    current.answer(answer)
    this.#continue()
  }

  /** A process that ended by itself. */
  #handleEnd(child: ChildProcess, why: string): void {
    if (child !== this.#child) return
    this.#child = null
    child.kill('SIGKILL')
    const current = this.#current
    if (current === null) return
    if (current.takenAt === null && !current.isSecond) {
      // It was not this request that ended it.
      current.isSecond = true
      this.#askAgain(current)
      return
    }
    if (this.#leaveOut(current, 0)) return
    this.#refuse({
      code: 'ARTIFACT_UNREADABLE',
      detail: `reading it ended the process that did (${why})`,
    })
  }

  /** K4. False: no text is to blame that was parsed for so long. */
  #leaveOut(current: Waiting, leastMs: number): boolean {
    const { reading } = current
    if (reading === null || current.without >= MOST_WITHOUT) return false
    if (performance.now() - reading.since < leastMs) return false
    // Of a request about that text alone nothing would be left.
    if (!this.#unreadable.add(reading.hash) || !current.hasProject) return false
    current.without += 1
    this.#askAgain(current)
    return true
  }

  #askAgain(current: Waiting): void {
    this.#clearDeadline()
    this.#current = null
    this.#waiting.unshift(Object.assign(current, { takenAt: null, reading: null }))
    this.#continue()
  }

  /** K2. */
  #handleDeadline(): void {
    const current = this.#current
    const takenAt = current?.takenAt ?? null
    const isStopped = takenAt === null && this.#isUp
    void this.#endChild()
    const { deadlineMs } = this.#options
    // It was well before: the request has nothing to do with it.
    if (current !== null && isStopped && !current.isSecond) {
      current.isSecond = true
      this.#askAgain(current)
      return
    }
    // Less, and it may be that all of them are many.
    if (current !== null && this.#leaveOut(current, deadlineMs * 0.75)) return
    this.#refuse({
      code: 'DESK_TIMEOUT',
      detail:
        takenAt === null
          ? 'no process began with it in time'
          : `it was ended after ${Math.round(performance.now() - takenAt)} ms`,
    })
  }

  #refuse(problem: DeskProblem): void {
    const current = this.#current
    this.#clearDeadline()
    this.#current = null
    const { artifact } = current ?? { artifact: null }
    current?.refuse(artifact === null ? problem : { ...problem, artifact })
    this.#continue()
  }

  #setDeadline(ms: number): void {
    this.#clearDeadline()
    this.#timer = setTimeout(() => this.#handleDeadline(), ms)
  }

  #clearDeadline(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** A process that nobody waits for keeps nobody from ending. */
  #letGo(): void {
    this.#child?.unref()
    this.#child?.channel?.unref()
  }

  /** K5. */
  async #endChild(): Promise<void> {
    const child = this.#child
    this.#child = null
    this.#clearDeadline()
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGKILL')
    await ended
  }
}

const CLOSED: DeskProblem = { code: 'DESK_CLOSED', detail: 'the desk is closed' }

function readAnswer<R extends DeskRequest>(
  request: R,
  answer: string,
): Result<DeskAnswerTo<R>, DeskProblem> {
  try {
    return parseAnswer(request, JSON.parse(answer))
  } catch {
    return err({ code: 'DESK_FAILED', detail: 'the answer is no JSON' })
  }
}

/** The one artifact that a request is about; null: there are several, or none. */
function findArtifact(request: DeskRequest): string | null {
  switch (request.ask) {
    case 'symbols':
    case 'slice':
      return request.text.artifact
    case 'plan':
      return request.changes.length === 1 ? (request.changes[0]?.text.artifact ?? null) : null
    case 'compare':
      return request.after?.artifact ?? request.before?.artifact ?? null
    default:
      return null
  }
}
