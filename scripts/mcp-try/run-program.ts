/** Runs a program to its end while this process goes on: it may have to answer what the program asks. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type ProgramRan = {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export type ProgramPlace = {
  readonly cwd: string
  /** All of its variables. */
  readonly env: Readonly<Record<string, string>>
}

const LONGEST_MS = 120_000

export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: ProgramPlace,
): Promise<ProgramRan> {
  const child = spawn(program, args, {
    ...{ cwd, env, timeout: LONGEST_MS, killSignal: 'SIGKILL' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8')
    child[name].on('data', (text: string) => {
      said[name] += text
    })
  }
  const [status] = await once(child, 'close')
  return { status, ...said }
}
