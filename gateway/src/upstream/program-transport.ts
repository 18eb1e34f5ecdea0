/**
 * The program of a server, as the library speaks with it.
 *
 * 1. It has a process group of its own. Nothing of that group is left once the program has ended or was closed; and if
 *    this process is killed, `group-guard.ts` ends the group.
 * 2. Its environment is what the operator wrote down and a few variables that name the user and the system.
 * 3. A message that is too long ends it. More messages of its own than anybody needs are read later, and what it writes to
 *    its standard error is kept apart.
 * 4. It has ended when the program has, not when the last holder of its output has: whoever waits for an answer of a
 *    program that is gone would wait for its children.
 */
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { LIMITS } from 'rubicon-kernel'
import { type StartedProcess, sendToGroup, startProcess } from 'rubicon-runtime/tools'
import { MCP_LIMITS } from '../mcp-limits.ts'
import type { ErrorOutput } from './error-output.ts'
import { releaseGroup, watchGroup } from './group-guard.ts'
import { MessageLines } from './message-lines.ts'
import { Pace, pauseFor } from './pace.ts'
import type { ProgramConfig } from './server-config.ts'

/** What programs of all kinds need to find their way, and no secret. */
const VARIABLES = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'TMPDIR', 'TZ', 'USER'] as const

/** For a program that is asked to end. */
const GRACE_MS = 1_000

export class ProgramTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #config: Pick<ProgramConfig, 'argv' | 'cwd'>
  readonly #texts: Readonly<Record<string, string>>
  readonly #errors: ErrorOutput
  readonly #lines = new MessageLines(MCP_LIMITS.messageBytes)
  readonly #pace = new Pace(MCP_LIMITS.unaskedPerSecond)
  readonly #ended = Promise.withResolvers<void>()
  #child: StartedProcess | null = null

  constructor(
    config: Pick<ProgramConfig, 'argv' | 'cwd'>,
    texts: Readonly<Record<string, string>>,
    errors: ErrorOutput,
  ) {
    this.#config = config
    this.#texts = texts
    this.#errors = errors
  }

  /** By this and `stderr` the library knows a program. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  get stderr(): null {
    return null
  }

  async start(): Promise<void> {
    const { argv, cwd = process.cwd() } = this.#config
    const [path = '', ...args] = argv
    const child = startProcess({ path, args, cwd, env: { ...readVariables(), ...this.#texts } })
    const { pid } = child
    if (pid === undefined) throw await waitForRefusal(child)
    this.#child = child
    watchGroup(pid)
    child.on('error', (error) => this.onerror?.(error))
    child.once('exit', () => void this.#finish(child, pid))
    // It need not read what it is told.
    child.stdin.on('error', (error) => this.onerror?.(error))
    child.stdout.on('error', (error) => this.onerror?.(error))
    child.stdout.on('data', (chunk: Buffer) => this.#read(child, pid, chunk))
    this.#errors.follow(child.stderr)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child
    if (child === null) throw new Error('the program has ended')
    if (child.stdin.write(serializeMessage(message))) return
    await Promise.race([
      new Promise((resolve) => child.stdin.once('drain', resolve)),
      this.#ended.promise,
    ])
  }

  /** Its input ends, then it is asked to end, then it is ended. */
  async close(): Promise<void> {
    const pid = this.#child?.pid
    if (pid === undefined) return
    this.#child?.stdin.end()
    if (await this.#hasEnded(GRACE_MS)) return
    sendToGroup(pid, 'SIGTERM')
    if (await this.#hasEnded(LIMITS.commandKillMs)) return
    sendToGroup(pid, 'SIGKILL')
    await this.#ended.promise
  }

  #read(child: StartedProcess, pid: number, chunk: Buffer): void {
    const lines = this.#lines.take(chunk)
    if (lines === undefined) {
      child.stdout.destroy()
      this.onerror?.(new Error('its message is too long'))
      sendToGroup(pid, 'SIGKILL')
      return
    }
    const answers = lines.filter((line) => this.#receive(line)).length
    pauseFor(child.stdout, this.#pace.take(lines.length - answers))
  }

  /** Whether it was an answer. What is no message is told, and passed over. */
  #receive(line: string): boolean {
    try {
      const message = deserializeMessage(line)
      this.onmessage?.(message)
      return !('method' in message)
    } catch (error) {
      this.onerror?.(toError(error))
      return false
    }
  }

  /** What it said before it ended is read; what its children would say is not waited for. */
  async #finish(child: StartedProcess, pid: number): Promise<void> {
    sendToGroup(pid, 'SIGKILL')
    releaseGroup(pid)
    const read = new Promise((resolve) => child.once('close', resolve))
    for (const stream of [child.stdout, child.stderr]) stream.resume()
    await Promise.race([read, wait(LIMITS.commandKillMs)])
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    this.#child = null
    this.#lines.clear()
    this.#ended.resolve()
    this.onclose?.()
  }

  #hasEnded(ms: number): Promise<boolean> {
    return Promise.race([this.#ended.promise.then(() => true), wait(ms).then(() => false)])
  }
}

function readVariables(): Readonly<Record<string, string>> {
  const named = VARIABLES.map((name) => [name, process.env[name]] as const)
  // A value that begins like this is a function to some shells.
  return Object.fromEntries(
    named.filter((one): one is [(typeof VARIABLES)[number], string] => {
      return one[1] !== undefined && !one[1].startsWith('()')
    }),
  )
}

function waitForRefusal(child: StartedProcess): Promise<Error> {
  return new Promise((resolve) => child.once('error', resolve))
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}
