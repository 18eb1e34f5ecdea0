/**
 * `npm run packages`: what would be published, as tarballs in `dist/packages`, for whoever installs it
 * from a clone.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buildTarballs } from './pack.ts'
import { ENVIRONMENT, ROOT, say } from './shell.ts'

const INTO = join(ROOT, 'dist/packages')

const folder = mkdtempSync(join(tmpdir(), 'rubicon-packages-'))
try {
  const tarballs = buildTarballs(folder, ENVIRONMENT, (step) => say(`… ${step}`))
  rmSync(INTO, { recursive: true, force: true })
  mkdirSync(INTO, { recursive: true })
  for (const tarball of tarballs) cpSync(tarball, join(INTO, basename(tarball)))
  for (const tarball of tarballs) say(`✔ ${basename(tarball)}`)
  say(`  in your folder  npm install ${INTO}/*.tgz`)
} catch (error) {
  process.stderr.write(`packages: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
