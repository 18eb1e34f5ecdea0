/**
 * Starts a program: no shell reads its arguments, its environment is exactly what is given, no descriptor of ours goes
 * along, and it has a process group of its own, which is known by its number.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { listInherited } from './inherited.ts'

export type ProcessStart = {
  readonly path: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

export type StartedProcess = ChildProcessByStdio<Writable, Readable, Readable>

export function startProcess({ path, args, env, cwd }: ProcessStart): StartedProcess {
  const nothing = openSync('/dev/null', 'r')
  try {
    return spawn(path, [...args], {
      shell: false,
      // A session of its own, and by that a group.
      detached: true,
      cwd,
      env: { ...env },
      stdio: ['pipe', 'pipe', 'pipe', ...coverInherited(nothing)],
    }) as StartedProcess
  } finally {
    closeSync(nothing)
  }
}

/** Nothing in the place of each descriptor, from the fourth on, that the program would get otherwise. */
function coverInherited(nothing: number): readonly (number | 'ignore')[] {
  const inherited = new Set(listInherited())
  const most = Math.max(2, ...inherited)
  return Array.from({ length: most - 2 }, (_, index) =>
    inherited.has(index + 3) ? nothing : 'ignore',
  )
}

/** To the whole group; whoever has ended already is not there to be told. */
export function sendToGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {}
}
