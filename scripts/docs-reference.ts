/**
 * Writes the pages of `docs/reference/` that are made from code: commands, errors, routes, limits, the library. `--check`
 * writes nothing and exits 1 when one of them is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiDocument } from './api-document.ts'
import { renderCommandPage } from './docs-commands.ts'
import { renderLimitsPage } from './docs-limits.ts'
import { renderOtherCodesPage } from './docs-other-codes.ts'
import { renderRoutesPage } from './docs-routes.ts'
import { renderLibraryPages } from './library/packages.ts'
import { ROOT } from './shell.ts'

const wanted: Readonly<Record<string, string>> = {
  'docs/reference/cli.md': renderCommandPage(),
  'docs/reference/errors.md': renderOtherCodesPage(),
  'docs/reference/http.md': renderRoutesPage(await generateApiDocument()),
  'docs/reference/limits.md': renderLimitsPage(
    readFileSync(join(ROOT, 'kernel/src/limits.ts'), 'utf8'),
  ),
  ...renderLibraryPages(),
}

function readPage(path: string): string {
  const file = join(ROOT, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

const stale = Object.keys(wanted).filter((path) => readPage(path) !== wanted[path])
if (process.argv.includes('--check')) {
  for (const path of stale) console.error(`${path} is stale: run node scripts/docs-reference.ts`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const path of stale) writeFileSync(join(ROOT, path), wanted[path] ?? '')
  console.log(`docs/reference: ${stale.length} pages written`)
}
