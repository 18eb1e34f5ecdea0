/** `rubicon up` until the test ends: as a process of its own, or in this one. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Data } from './cli.test-support.ts'
import { main } from './main.ts'

const LAUNCHER = fileURLToPath(new URL('../../../server/bin/rubicon.js', import.meta.url))

export type Up = {
  readonly pid: number
  readonly said: Data
  /** Out of its file; empty where there is none. */
  readonly token: string
  /** Lines on stderr so far. */
  readonly noted: readonly string[]
  /** Resolves with the exit code and the signal that ended it. */
  stop(): Promise<readonly unknown[]>
}

const REFUND = `export const capabilities = [{
  kind: 'REFUND', effect: 'unsafe', risk: 'medium', reversible: true, params: { type: 'object' },
  execute: () => ({ result: 'done' }),
}]
`

/** The least that a server starts with. The demo would do as well, and writes the history of a week first. */
export function writeRules(folder: string): readonly string[] {
  const file = join(folder, 'rules.mjs')
  writeFileSync(file, REFUND)
  return ['--rules', file]
}

/** Waits until it says where it is. */
export async function startUp(t: TestContext, argv: readonly string[]): Promise<Up> {
  const all = [LAUNCHER, 'up', '--port', '0', '--json', ...argv]
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] })
  // Notices are what it is for; whatever else it says there, a reader of a failed test wants to see.
  const noted: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    noted.push(line)
    if (!line.startsWith('{"notice":')) process.stderr.write(`${line}\n`)
  })
  t.after(() => child.kill('SIGKILL'))
  const exited: Promise<readonly unknown[]> = once(child, 'exit')
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.trimEnd().endsWith('}')) break
  }
  const said: Data = JSON.parse(text)
  return {
    pid: child.pid ?? 0,
    said,
    token: readToken(said),
    noted,
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

function readToken({ token_file: file }: Data): string {
  return file === null ? '' : readFileSync(file, 'utf8').trim()
}

/**
 * In this process, for whoever asks the server and not the process that it is: to start one takes a second of a
 * processor. It is stopped as by a signal.
 */
export async function startUpHere(t: TestContext, argv: readonly string[]): Promise<Up> {
  const all = ['up', '--port', '0', '--json', ...argv]
  const others = process.listeners('SIGTERM')
  const typed = process.argv
  const noted: string[] = []
  const shown = Promise.withResolvers<string>()
  let text = ''
  // What is to be typed next time is said with what was typed.
  process.argv = [process.execPath, LAUNCHER, ...all]
  const ended = main(all, {
    stdout: {
      write(more) {
        text += more
        if (text.trimEnd().endsWith('}')) shown.resolve(text)
      },
    },
    stderr: { write: (more) => void noted.push(...more.trimEnd().split('\n')) },
    stdin: Object.assign(new PassThrough(), { isTTY: false }),
    env: process.env,
  })
  const said: Data = await Promise.race([shown.promise.then(JSON.parse), ended])
  process.argv = typed
  assert.ok(typeof said === 'object', noted.join('\n'))
  const stop = process.listeners('SIGTERM').find((listener) => !others.includes(listener))
  assert.ok(stop !== undefined, 'it waits for a signal')
  const end = async (): Promise<readonly unknown[]> => {
    stop('SIGTERM')
    return [await ended, null]
  }
  t.after(end)
  return { pid: process.pid, said, token: readToken(said), noted, stop: end }
}
