/**
 * Writes the pages of `docs/reference/` that are made from code: commands, errors, routes, limits. `--check`
 * writes nothing and exits 1 when one of them is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiDocument } from './api-document.ts'
import { commandPage } from './docs-commands.ts'
import { limitsPage } from './docs-limits.ts'
import { otherCodesPage } from './docs-other-codes.ts'
import { routesPage } from './docs-routes.ts'
import { ROOT } from './shell.ts'

const wanted: Readonly<Record<string, string>> = {
  'docs/reference/cli.md': commandPage(),
  'docs/reference/errors.md': otherCodesPage(),
  'docs/reference/http.md': routesPage(await apiDocument()),
  'docs/reference/limits.md': limitsPage(readFileSync(join(ROOT, 'kernel/src/limits.ts'), 'utf8')),
}

function found(path: string): string {
  const file = join(ROOT, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

const stale = Object.keys(wanted).filter((path) => found(path) !== wanted[path])
if (process.argv.includes('--check')) {
  for (const path of stale) console.error(`${path} is stale: run node scripts/docs-reference.ts`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const path of stale) writeFileSync(join(ROOT, path), wanted[path] ?? '')
  console.log(`docs/reference: ${stale.length} pages written`)
}
