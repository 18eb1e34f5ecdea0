/** `rubicon dev` until the test ends: as a process of its own, or in this one. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Data, home, run } from '../cli.test-support.ts'
import { main } from '../main.ts'

const LAUNCHER = fileURLToPath(new URL('../../../bin/rubicon.js', import.meta.url))
const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
/** A machine with other work to do. */
const PATIENCE_MS = 120_000

export type DevProject = {
  readonly folder: string
  /** Replaces text in a file of the project. */
  edit(file: string, from: string, to: string): void
}

export async function createDevProject(): Promise<DevProject> {
  const folder = join(home().folder, 'project')
  assert.equal((await run(['init', folder])).exit, 0)
  symlinkSync(MODULES, join(folder, 'node_modules'))
  return {
    folder,
    edit(file, from, to) {
      const path = join(folder, file)
      const text = readFileSync(path, 'utf8')
      assert.ok(text.includes(from), `${file} has ${from}`)
      writeFileSync(path, text.replace(from, to))
    },
  }
}

export type Dev = {
  readonly events: readonly Data[]
  readonly noted: readonly string[]
  /** The next event of that kind, after those that were waited for before. */
  next(kind: string): Promise<Data>
  interrupt(): Promise<readonly unknown[]>
}

/** What it said, and what it is waited for to say. */
class HeardDev {
  readonly events: Data[] = []
  readonly noted: string[] = []
  readonly #hasEnded: () => boolean
  #seen = 0
  #wake = (): void => {}

  constructor(stdout: Readable, stderr: Readable, hasEnded: () => boolean) {
    this.#hasEnded = hasEnded
    createInterface({ input: stderr }).on('line', (line) => this.noted.push(line))
    createInterface({ input: stdout }).on('line', (line) => {
      this.events.push(JSON.parse(line))
      this.#wake()
    })
  }

  async next(kind: string): Promise<Data> {
    const until = Date.now() + PATIENCE_MS
    for (;;) {
      const at = this.events.findIndex(({ event }, i) => i >= this.#seen && event === kind)
      if (at >= 0) {
        this.#seen = at + 1
        return this.events[at]
      }
      const left = until - Date.now()
      const said = (): string =>
        JSON.stringify([this.events.slice(this.#seen), this.noted], null, 1)
      assert.ok(left > 0 && !this.#hasEnded(), `no ${kind}: ${said()}`)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const timer = setTimeout(resolve, Math.min(left, 500))
      await promise
      clearTimeout(timer)
    }
  }
}

function listWords(folder: string, argv: readonly string[]): readonly string[] {
  return ['dev', folder, '--port', '0', '--json', ...argv]
}

export function startDev(t: TestContext, folder: string, argv: readonly string[] = []): Dev {
  const all = [LAUNCHER, ...listWords(folder, argv)]
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const exited: Promise<readonly unknown[]> = once(child, 'exit')
  const heard = new HeardDev(child.stdout, child.stderr, () => child.exitCode !== null)
  return {
    events: heard.events,
    noted: heard.noted,
    next: (kind) => heard.next(kind),
    async interrupt() {
      child.kill('SIGINT')
      return exited
    },
  }
}

/**
 * In this process, for whoever looks at what is served and not at the process that serves: to start one takes a second
 * of a processor. What loads the project is a process of its own all the same. It is stopped as by a signal.
 */
export function startDevHere(t: TestContext, folder: string, argv: readonly string[] = []): Dev {
  const others = process.listeners('SIGINT')
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const stdin = Object.assign(new PassThrough(), { isTTY: false })
  let hasEnded = false
  const ended = main(listWords(folder, argv), { stdout, stderr, stdin, env: process.env }).finally(
    () => {
      hasEnded = true
    },
  )
  const heard = new HeardDev(stdout, stderr, () => hasEnded)
  const interrupt = async (): Promise<readonly unknown[]> => {
    process.listeners('SIGINT').find((listener) => !others.includes(listener))?.('SIGINT')
    return [await ended, null]
  }
  t.after(interrupt)
  return {
    events: heard.events,
    noted: heard.noted,
    next: (kind) => heard.next(kind),
    interrupt,
  }
}
