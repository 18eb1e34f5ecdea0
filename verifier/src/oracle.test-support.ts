/** Runs the second implementation, `testdata/oracle/verify.py`, on texts that tests make. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from './report.ts'

const SCRIPT = fileURLToPath(new URL('../../testdata/oracle/verify.py', import.meta.url))
const FILES_AT_ONCE = 500
const MOST_OUTPUT = 1 << 28

const found = spawnSync('python3', ['--version']).status === 0
if (!found) console.error('PYTHON ABSENT: the second verifier is not run; install python3')

/** For `skip`. Where CI=true nothing is skipped, so that the tests fail instead. */
export const oracleSkip: string | false =
  !found && process.env['CI'] !== 'true' && 'PYTHON ABSENT: no python3 on this machine'

export type OracleOptions = { readonly trust?: string; readonly signatures?: string }

export function oracleReports(
  texts: readonly (string | Uint8Array)[],
  options: OracleOptions = {},
): Report[] {
  const reports: Report[] = []
  for (let i = 0; i < texts.length; i += FILES_AT_ONCE) {
    reports.push(...oracleBatch(texts.slice(i, i + FILES_AT_ONCE), options))
  }
  return reports
}

export function runOracle(...args: readonly string[]): { status: number | null; stdout: string } {
  const { status, stdout, stderr } = spawnSync('python3', [SCRIPT, ...args], {
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
  })
  if (status !== 0 && status !== 4) throw new Error(`the oracle could not run: ${stderr}`)
  return { status, stdout }
}

function oracleBatch(
  texts: readonly (string | Uint8Array)[],
  { trust, signatures = 'all' }: OracleOptions,
): Report[] {
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
    const { stdout } = runOracle(...args)
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
