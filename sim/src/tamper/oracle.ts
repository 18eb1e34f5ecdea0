/** The second verifier, which was written from the specification: one answer for each file. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ORACLE = fileURLToPath(new URL('../../../testdata/oracle/verify.py', import.meta.url))

export type OracleFinding = { readonly leaf: number | null; readonly code: string }
export type Judged = { readonly ok: boolean; readonly findings: readonly OracleFinding[] }

export async function askOracle(parameters: readonly string[]): Promise<readonly Judged[]> {
  const answer = await run('python3', [ORACLE, ...parameters], { maxBuffer: 1 << 28 }).catch(
    (error: { code?: number; stdout?: string }) => {
      // 4: done, with findings.
      if (error.code === 4 && error.stdout !== undefined) return { stdout: error.stdout }
      throw error
    },
  )
  return answer.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Judged)
}
