/**
 * `npm run build`: the console and the docs, as static files in `console/dist`. Does nothing when they
 * are newer than everything that they are made from.
 */
import { existsSync, globSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig } from 'vite'
import { formatLicences } from './console-licences.ts'
import { formatSeconds, ROOT, say } from './shell.ts'

const DIST = 'console/dist'
const STAMP = `${DIST}/built.txt`
/** Pages, and views that are loaded when they are opened. */
const SHARED_BY = 3

const SOURCES: readonly string[] = [
  'console/{index.html,package.json}',
  'scripts/console-{build,licences}.ts',
  'console/{src,public,docs}/**/*.*',
  'docs/**/*.*',
  '{kernel,agents,verifier}/src/**/*.ts',
  'package-lock.json',
]

/**
 * Nothing inlined: the policy of the server refuses styles, scripts and images inside of pages. What several pages share
 * is one file, and so are styles: left to itself the bundler makes a file of each set of pages that share something, and
 * a page asks for fifty.
 */
const CONFIG: InlineConfig = {
  configFile: false,
  root: join(ROOT, 'console'),
  plugins: [react()],
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_500,
    cssCodeSplit: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'common', minShareCount: SHARED_BY }] } },
    },
  },
  worker: { format: 'es' },
  logLevel: 'warn',
}

export async function buildConsole(): Promise<void> {
  const start = performance.now()
  if (isFresh()) return
  await build(CONFIG)
  if (existsSync(join(ROOT, 'console/docs/build-docs.ts'))) {
    const { buildDocs } = await import('../console/docs/build-docs.ts')
    await buildDocs(join(ROOT, DIST, 'docs'))
  }
  writeFileSync(join(ROOT, DIST, 'licences.txt'), formatLicences())
  writeFileSync(join(ROOT, STAMP), 'what is newer than this file is not in it\n')
  say(`console built (${formatSeconds(performance.now() - start)})`)
}

function isFresh(): boolean {
  if (!existsSync(join(ROOT, STAMP))) return false
  const built = statSync(join(ROOT, STAMP)).mtimeMs
  return globSync(SOURCES, { cwd: ROOT }).every((file) => {
    const found = statSync(join(ROOT, file))
    return !found.isFile() || found.mtimeMs < built
  })
}

if (import.meta.main) await buildConsole()
