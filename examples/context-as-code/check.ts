/** `node check.ts`: holds contract and manifests of this folder against its specification. Exits with 1 where they differ. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findDifferences } from './claims.ts'

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const NOT_MANIFESTS = ['contract.json', 'package.json', 'tsconfig.json']
const manifests = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.json') && !NOT_MANIFESTS.includes(name),
)

const differences = findDifferences({
  rules: read('rules.md'),
  specification: read('specification.md'),
  prompt: read('prompt.md'),
  contract: read('contract.json'),
  manifests: Object.fromEntries(manifests.map((name) => [name, read(name)])),
})
for (const line of differences) console.log(`✖ ${line}`)
if (differences.length === 0)
  console.log('✔ contract.json and its manifests are what specification.md says')
process.exitCode = differences.length === 0 ? 0 : 1
