/** Runs the tests of findings, in the files that hold them, with a mistake made on purpose or without. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createPatchedRun } from '../sim/src/patches/patched-run.ts'
import type { Told } from './findings-judge.ts'
import type { Ended } from './findings-reporter.ts'
import { buildTitlePattern } from './findings-tests.ts'
import { ENVIRONMENT, ROOT } from './shell.ts'

const RUN_MS = 300_000
const STDIO: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
const REPORTER = new URL('./findings-reporter.ts', import.meta.url).href

export type Asked = {
  readonly files: readonly string[]
  readonly findings: readonly string[]
  readonly patch: string | null
}

export function runFindings({ files, findings, patch }: Asked): Promise<Told> {
  return runNamed(files, buildTitlePattern(findings), patch)
}

/** Those whose title fits the pattern. */
export async function runNamed(
  files: readonly string[],
  pattern: string,
  patch: string | null,
): Promise<Told> {
  // A test runner that finds itself inside another runs nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = ENVIRONMENT
  const run = patch === null ? null : createPatchedRun(patch, env)
  const args = [
    '--test',
    `--test-name-pattern=${pattern}`,
    `--test-reporter=${REPORTER}`,
    '--test-reporter-destination=stdout',
    ...files,
  ]
  try {
    const { stdout, stderr } = await collectOutput(args, run?.env ?? env)
    return { ended: parseEnded(stdout), unpatched: run?.problem() ?? null, stderr }
  } finally {
    run?.end()
  }
}

/**
 * How it ended is in what it printed. The runner starts a process for each file: whoever ends the runner
 * alone leaves those, and they hold the pipe open.
 */
function collectOutput(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, detached: true, stdio: STDIO })
  const late = setTimeout(() => endGroup(child), RUN_MS)
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(late)
      resolve(said)
    })
  })
}

function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

function parseEnded(stdout: string): readonly Ended[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as Ended)
}
