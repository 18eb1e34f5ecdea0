/** securesystemslib of PyPI, of a fixed version, in a virtual environment of its own: made once, and kept beside the packages. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DsseEnvelope } from 'rubicon-kernel'

const WANTED = ['securesystemslib==1.6.0', 'cryptography==45.0.7']
const FOLDER = fileURLToPath(
  new URL('../../../node_modules/.cache/rubicon-in-toto', import.meta.url),
)
const PYTHON = `${FOLDER}/bin/python`
const SCRIPT = fileURLToPath(new URL('../../../testdata/in-toto/verify.py', import.meta.url))
const INSTALL_MS = 60_000

export type AskedEnvelope = {
  readonly envelope: DsseEnvelope
  readonly key: { readonly keyid: string; readonly public: string }
}

function run(program: string, args: readonly string[], input = ''): SpawnSyncReturns<string> {
  return spawnSync(program, args, { encoding: 'utf8', input, timeout: INSTALL_MS })
}

function hasWanted(): boolean {
  if (!existsSync(PYTHON)) return false
  const frozen = run(PYTHON, ['-m', 'pip', 'freeze']).stdout ?? ''
  return WANTED.every((wanted) => frozen.includes(wanted))
}

/** False: it can be asked. Otherwise why it cannot. */
export function prepareSecureSystemsLib(): string | false {
  if (hasWanted()) return false
  const made = run('python3', ['-m', 'venv', '--clear', FOLDER])
  if (made.status !== 0) return `python3 -m venv: ${made.error?.message ?? made.stderr.trim()}`
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-cache-dir', '--retries', '0']
  const installed = run(PYTHON, ['-m', 'pip', 'install', ...quiet, '--timeout', '5', ...WANTED])
  if (installed.status === 0) return false
  const last = installed.stderr.trim().split('\n').at(-1)
  return `pip install ${WANTED.join(' ')}: ${installed.error?.message ?? last}`
}

export function askSecureSystemsLib(asked: readonly AskedEnvelope[]): readonly string[] {
  const { stdout, stderr, status } = run(PYTHON, [SCRIPT], JSON.stringify(asked))
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
