/** What both verifiers say of a file that this runtime exported. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeCrypto, type Report, verifyAny } from 'rubicon-verifier'
import { temporaryFolder } from '../temporary-folder.test-support.ts'

const SCRIPT = fileURLToPath(new URL('../../../testdata/oracle/verify.py', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

/** Leaf and code of each finding, once. Without Python only ours is asked, but never where CI=true. */
export function foundByBoth(text: string): readonly string[] {
  const ours = places(verifyAny(text, nodeCrypto))
  if (hasPython || process.env.CI === 'true') assert.deepEqual(places(secondReport(text)), ours)
  return ours
}

function secondReport(text: string): Pick<Report, 'findings'> {
  const file = join(temporaryFolder(), 'exported.json')
  writeFileSync(file, text)
  const { stdout, stderr } = spawnSync('python3', ['-I', '-S', SCRIPT, '--json', file], {
    encoding: 'utf8',
  })
  assert.notEqual(stdout, '', stderr)
  return JSON.parse(stdout)
}

function places({ findings }: Pick<Report, 'findings'>): readonly string[] {
  return [...new Set(findings.map(({ leaf, code }) => `${leaf} ${code}`))].sort()
}
