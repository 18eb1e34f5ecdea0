/**
 * Writes `agents/src/generated.ts`: the API document as types and a typed client. `--check`
 * writes nothing and exits 1 when the file is not what the routes say.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiDocument } from './api-document.ts'
import { formatClient } from './client-text.ts'
import { ROOT, run } from './shell.ts'

const FILE = 'agents/src/generated.ts'

function formatText(text: string): string {
  const { ok, stdout, stderr } = run('biome', ['format', `--stdin-file-path=${FILE}`], {
    input: text,
  })
  if (!ok) throw new Error(stderr)
  return stdout
}

const wanted = formatText(formatClient(await generateApiDocument()))
const path = join(ROOT, FILE)
const found = existsSync(path) ? readFileSync(path, 'utf8') : ''
if (process.argv.includes('--check')) {
  if (found !== wanted) console.error(`${FILE} is stale: run node scripts/api-client.ts`)
  process.exitCode = found === wanted ? 0 : 1
} else {
  writeFileSync(path, wanted)
  console.log(`${FILE}: ${wanted.split('\n').length} lines`)
}
