/**
 * A program beside us that is asked one file after the other: a line of JSON goes in, a line comes out. What it is made of is installed
 * apart, so nothing of it is imported here. One that is not installed, or has died, has no answers and says why.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PlacedEdit } from './edit.ts'

export type PeerRequest = {
  readonly name: string
  readonly text: string
  readonly edits: readonly (PlacedEdit & {
    /** Of the judge: the text that we made of it; null: none. */
    readonly after?: string | null
    /** Of a rename: the places that the judge named. */
    readonly sites?: readonly number[]
  })[]
}

export type PeerAnswer<T> = {
  readonly results: readonly T[]
  /** Of the judge: what is wrong with the file as it came. */
  readonly mistake?: string | null
}

export interface PeerPort<T> {
  /** Why it has no answers; null: it has. */
  readonly missing: string | null
  ask(request: PeerRequest): Promise<PeerAnswer<T> | null>
  close(): void
}

/** Of all that waits for one file. */
const ANSWER_MS = 120_000

/** `script`: from this folder on. */
export function openPeer<T>(script: string): PeerPort<T> {
  const path = join(import.meta.dirname, script)
  if (existsSync(join(dirname(path), 'node_modules'))) return new PeerProcess<T>(path)
  return {
    missing: 'not installed: npm ci in bench/artifacts-peers',
    ask: async () => null,
    close: () => {},
  }
}

class PeerProcess<T> implements PeerPort<T> {
  readonly #child: ChildProcess
  readonly #waiting: ((answer: PeerAnswer<T> | null) => void)[] = []
  missing: string | null = null

  constructor(script: string) {
    this.#child = spawn(process.execPath, ['--no-warnings', '--max-old-space-size=3072', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const { stdin, stdout } = this.#child
    stdin?.on('error', () => {})
    if (stdout !== null)
      createInterface({ input: stdout }).on('line', (line) =>
        this.#waiting.shift()?.(JSON.parse(line) as PeerAnswer<T>),
      )
    this.#child.on('close', (code, signal) => this.#end(`it ended with ${code ?? signal}`))
    this.#child.on('error', ({ message }) => this.#end(message))
  }

  ask(request: PeerRequest): Promise<PeerAnswer<T> | null> {
    if (this.missing !== null) return Promise.resolve(null)
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#kill(`no answer on ${request.name}`), ANSWER_MS)
      this.#waiting.push((answer) => {
        clearTimeout(late)
        resolve(answer)
      })
      this.#child.stdin?.write(`${JSON.stringify(request)}\n`)
    })
  }

  close(): void {
    this.#child.stdin?.end()
  }

  #kill(reason: string): void {
    this.#end(reason)
    this.#child.kill('SIGKILL')
  }

  #end(reason: string): void {
    this.missing ??= reason
    for (const answer of this.#waiting.splice(0)) answer(null)
  }
}
