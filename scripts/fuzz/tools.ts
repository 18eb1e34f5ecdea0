/** The fuzzer and the generator of clients: not ours, of a fixed version, in a virtual environment of their own. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Ran, ROOT, run } from '../shell.ts'

const WANTED: readonly string[] = ['schemathesis==4.32.5', 'openapi-python-client==0.29.1']

export type Tools = { readonly fuzzer: string; readonly generator: string }

/** Made once; a folder that was left half made is made anew. */
export function prepareTools(progress: (line: string) => void): Tools {
  const folder = join(ROOT, 'node_modules/.cache/rubicon-fuzz')
  const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin')
  const python = join(bin, 'python')
  const isThere = existsSync(python) && run(python, ['-m', 'pip', 'check']).ok
  if (!isThere || !hasWanted(python)) {
    progress(`installing ${WANTED.join(' and ')}`)
    mkdirSync(folder, { recursive: true })
    demand('python3 -m venv', run('python3', ['-m', 'venv', '--clear', folder]))
    const quiet = ['--quiet', '--disable-pip-version-check']
    demand('pip install', run(python, ['-m', 'pip', 'install', ...quiet, ...WANTED]))
  }
  return { fuzzer: join(bin, 'schemathesis'), generator: join(bin, 'openapi-python-client') }
}

function hasWanted(python: string): boolean {
  const installed = run(python, ['-m', 'pip', 'freeze']).stdout.toLowerCase().split('\n')
  return WANTED.every((wanted) => installed.includes(wanted))
}

function demand(what: string, { ok, stderr }: Ran): void {
  if (!ok) throw new Error(`${what} failed: ${stderr}`)
}
