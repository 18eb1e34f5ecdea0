/** Runs the tests of findings, in the files that hold them, with a mistake made on purpose or without. */
import { execFile } from 'node:child_process'
import { patchedRun } from '../sim/src/patches/patched-run.ts'
import type { Told } from './findings-judge.ts'
import type { Ended } from './findings-reporter.ts'
import { titlePattern } from './findings-tests.ts'
import { ENVIRONMENT, ROOT } from './shell.ts'

const RUN_MS = 300_000
const MOST_OUTPUT = 1 << 26
const REPORTER = new URL('./findings-reporter.ts', import.meta.url).href

export type Asked = {
  readonly files: readonly string[]
  readonly findings: readonly string[]
  readonly patch: string | null
}

export async function runFindings({ files, findings, patch }: Asked): Promise<Told> {
  // A test runner that finds itself inside another runs nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = ENVIRONMENT
  const run = patch === null ? null : patchedRun(patch, env)
  const args = [
    '--test',
    `--test-name-pattern=${titlePattern(findings)}`,
    `--test-reporter=${REPORTER}`,
    '--test-reporter-destination=stdout',
    ...files,
  ]
  try {
    const { stdout, stderr } = await output(args, run?.env ?? env)
    return { ended: parseEnded(stdout), unpatched: run?.problem() ?? null, stderr }
  } finally {
    run?.end()
  }
}

/** How it ended is in what it printed. */
function output(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const options = { cwd: ROOT, env, timeout: RUN_MS, maxBuffer: MOST_OUTPUT } as const
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (_error, stdout, stderr) => {
      resolve({ stdout, stderr })
    })
  })
}

function parseEnded(stdout: string): readonly Ended[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as Ended)
}
