/** How scripts run other programs: from the root, on the repository's own Node. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT: string = fileURLToPath(new URL('..', import.meta.url))

const MOST_OUTPUT = 1 << 28

/** What npm linked, and the Node that runs this script, come before everything else on PATH. */
export const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_NO_WARNINGS: '1',
  PATH: [join(ROOT, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(
    delimiter,
  ),
}

export type Ran = {
  readonly ok: boolean
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

export type RunOptions = {
  readonly cwd?: string
  /** `show`: the program talks to the terminal; `keep`: what it says is the result. */
  readonly output?: 'show' | 'keep'
  readonly env?: NodeJS.ProcessEnv
  readonly timeoutMs?: number
  /** What it reads. */
  readonly input?: string
}

export function run(program: string, args: readonly string[], options: RunOptions = {}): Ran {
  const { cwd = ROOT, output = 'keep', env = {}, timeoutMs, input } = options
  const start = performance.now()
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...ENVIRONMENT, ...env },
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
    stdio:
      output === 'show' ? 'inherit' : [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: 'SIGKILL' as const }),
  })
  return {
    ok: status === 0,
    status,
    stdout: stdout ?? '',
    stderr: error === undefined ? (stderr ?? '') : `${stderr ?? ''}${error.message}\n`,
    ms: performance.now() - start,
  }
}

/** The command `rubicon` of this checkout. */
export function runRubicon(args: readonly string[], options: RunOptions = {}): Ran {
  return run(process.execPath, [join(ROOT, 'server/bin/rubicon.js'), ...args], options)
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

export function hasPath(path: string): boolean {
  return existsSync(join(ROOT, path))
}
