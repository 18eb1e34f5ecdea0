/** Runs the second implementation, `testdata/oracle/verify.py`, on texts that tests make. */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from './report.ts'

const SCRIPT = fileURLToPath(new URL('../../testdata/oracle/verify.py', import.meta.url))
const FINDINGS = 4

const found = spawnSync('python3', ['--version']).status === 0
if (!found) console.error('PYTHON ABSENT: the second verifier is not run; install python3')

/** For `skip`. Where CI=true nothing is skipped, so that the tests fail instead. */
export const oracleSkip: string | false =
  !found && process.env.CI !== 'true' && 'PYTHON ABSENT: no python3 on this machine'

export type OracleOptions = { readonly trust?: string; readonly signatures?: string }

/** One report a text, all in one process. */
export async function oracleReports(
  texts: readonly (string | Uint8Array)[],
  { trust, signatures = 'all' }: OracleOptions = {},
): Promise<Report[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-oracle-'))
  try {
    const paths = texts.map((text, i) => {
      const path = join(folder, `${i}.ndjson`)
      writeFileSync(path, text)
      return path
    })
    writeFileSync(join(folder, 'list'), paths.join('\n'))
    const args = ['--list', join(folder, 'list'), '--json', '--signatures', signatures]
    if (trust !== undefined) {
      writeFileSync(join(folder, 'trust'), trust)
      args.push('--trust', join(folder, 'trust'))
    }
    const lines = (await runOracle(...args)).split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * What it printed. Findings are an answer; that it could not run is an error. It prints to a file:
 * a pipe would fill up and stop it while this process is busy with its own verification.
 */
export function runOracle(...args: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-oracle-'))
  const path = join(folder, 'printed')
  const printed = openSync(path, 'w')
  const child = spawn('python3', [SCRIPT, ...args], { stdio: ['ignore', printed, 'inherit'] })
  return new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0 || code === FINDINGS) resolve(readFileSync(path, 'utf8'))
      else reject(new Error(`the oracle could not run: exit ${code}`))
    })
  }).finally(() => {
    closeSync(printed)
    rmSync(folder, { recursive: true })
  })
}
