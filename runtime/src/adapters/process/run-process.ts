/**
 * Runs a program to its end, within bounds.
 *
 * 1. No shell reads the arguments, the environment is exactly what is given, and no descriptor of ours goes along.
 * 2. It has a process group of its own, and nothing of that group is left when this returns, however it ended.
 *    A program that leaves the group (`setsid`) leaves what this can reach; then its output is not taken.
 * 3. More output than allowed, or a deadline that passed, ends it: SIGTERM, then SIGKILL.
 * 4. `not-started` says that no instruction of the program ran.
 */
import type { Readable } from 'node:stream'
import { LIMITS } from 'rubicon-kernel'
import {
  type ProcessStart,
  type StartedProcess,
  sendToGroup,
  startProcess,
} from './start-process.ts'

export type ProcessRequest = ProcessStart & {
  readonly stdin: string
  readonly deadlineMs: number
  readonly outputBytes: number
  readonly errorBytes: number
  readonly signal: AbortSignal | null
}

export type ProcessEnd =
  | { readonly kind: 'not-started'; readonly problem: string }
  | {
      readonly kind: 'exited'
      readonly code: number
      readonly output: Buffer
      readonly error: Buffer
    }
  | { readonly kind: 'ended'; readonly why: string }

export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  if (request.signal?.aborted) return { kind: 'not-started', problem: 'ABORTED' }
  const child = startProcess(request)
  if (child.pid === undefined) return waitForRefusal(child)
  return new ProcessWatch(child, child.pid, request).end
}

function waitForRefusal(child: StartedProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      const problem = 'code' in error ? String(error.code) : 'UNKNOWN'
      resolve({ kind: 'not-started', problem })
    })
  })
}

class ProcessWatch {
  readonly end: Promise<ProcessEnd>
  readonly #child: StartedProcess
  readonly #group: number
  #why: string | null = null
  #kill: NodeJS.Timeout | null = null

  constructor(child: StartedProcess, pid: number, request: ProcessRequest) {
    this.#child = child
    this.#group = pid
    this.end = this.#watch(request)
  }

  async #watch(request: ProcessRequest): Promise<ProcessEnd> {
    const { signal, deadlineMs, outputBytes, errorBytes, stdin } = request
    const child = this.#child
    const output = this.#collect(child.stdout, outputBytes)
    const error = this.#collect(child.stderr, errorBytes)
    const stop = (): void => this.#stop('it did not end in time')
    const deadline = setTimeout(stop, deadlineMs)
    signal?.addEventListener('abort', stop, { once: true })
    // It need not read what it is told.
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
    const code = await this.#waitForExit()
    clearTimeout(deadline)
    signal?.removeEventListener('abort', stop)
    if (this.#kill !== null) clearTimeout(this.#kill)
    this.#sendSignal('SIGKILL')
    const isWhole = await this.#waitForOutput()
    if (this.#why !== null) return { kind: 'ended', why: this.#why }
    if (code === null) return { kind: 'ended', why: 'a signal ended it' }
    if (!isWhole) return { kind: 'ended', why: 'its output was held open after it ended' }
    return { kind: 'exited', code, output: Buffer.concat(output), error: Buffer.concat(error) }
  }

  #collect(stream: Readable, most: number): readonly Buffer[] {
    const parts: Buffer[] = []
    let length = 0
    stream.on('error', () => {})
    stream.on('data', (part: Buffer) => {
      length += part.length
      if (length > most) this.#stop(`it wrote more than ${most} bytes`)
      else parts.push(part)
    })
    return parts
  }

  #waitForExit(): Promise<number | null> {
    return new Promise((resolve) => {
      this.#child.once('exit', (code) => resolve(code))
      this.#child.on('error', () => {})
    })
  }

  /** Whether both streams came to their end; one that somebody outside of the group holds does not. */
  async #waitForOutput(): Promise<boolean> {
    const { stdout, stderr } = this.#child
    const streams = [stdout, stderr]
    const ended = Promise.all(
      streams.map((stream) =>
        stream.closed ? null : new Promise((resolve) => stream.once('close', resolve)),
      ),
    )
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, LIMITS.commandKillMs, false)
    })
    const isWhole = await Promise.race([ended.then(() => true), late])
    clearTimeout(timer)
    for (const stream of streams) stream.destroy()
    return isWhole
  }

  #stop(why: string): void {
    if (this.#why !== null) return
    this.#why = why
    this.#child.stdout.destroy()
    this.#child.stderr.destroy()
    this.#sendSignal('SIGTERM')
    this.#kill = setTimeout(() => this.#sendSignal('SIGKILL'), LIMITS.commandKillMs)
  }

  #sendSignal(name: NodeJS.Signals): void {
    sendToGroup(this.#group, name)
  }
}
