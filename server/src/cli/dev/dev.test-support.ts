/** `rubicon dev` as a process of its own, which ends with the test. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Data, home, run } from '../cli.test-support.ts'

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

export function startDev(t: TestContext, folder: string, argv: readonly string[] = []): Dev {
  const all = [LAUNCHER, 'dev', folder, '--port', '0', '--json', ...argv]
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const exited: Promise<readonly unknown[]> = once(child, 'exit')
  const events: Data[] = []
  const noted: string[] = []
  let seen = 0
  let wake = (): void => {}
  createInterface({ input: child.stderr }).on('line', (line) => noted.push(line))
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line))
    wake()
  })
  return {
    events,
    noted,
    async next(kind) {
      const until = Date.now() + PATIENCE_MS
      for (;;) {
        const at = events.findIndex(({ event }, index) => index >= seen && event === kind)
        if (at >= 0) {
          seen = at + 1
          return events[at]
        }
        const left = until - Date.now()
        const said = (): string => JSON.stringify([events.slice(seen), noted], null, 1)
        assert.ok(left > 0 && child.exitCode === null, `no ${kind}: ${said()}`)
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, Math.min(left, 500))
        await promise
        clearTimeout(timer)
      }
    },
    async interrupt() {
      child.kill('SIGINT')
      return exited
    },
  }
}
