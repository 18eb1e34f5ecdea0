/** `rubicon open` as a process of its own, which ends with the test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Data } from './cli.test-support.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/rubicon.js', import.meta.url))

export type OpenedDemo = {
  readonly said: Data
  interrupt(): Promise<readonly unknown[]>
}

/** Waits until it says where it is. */
export async function startOpen(t: TestContext, name: string): Promise<OpenedDemo> {
  const argv = [LAUNCHER, 'open', name, '--port', '0', '--json']
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const exited: Promise<readonly unknown[]> = once(child, 'exit')
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.trimEnd().endsWith('}')) break
  }
  return {
    said: JSON.parse(text),
    async interrupt() {
      child.kill('SIGINT')
      return exited
    },
  }
}
