/**
 * Makes a publishable folder of a workspace: JavaScript and types instead of sources, without tests.
 *
 * Sources run as they are in the repository, but Node strips no types under `node_modules`, and npm
 * ignores `publishConfig.exports`. So `exports` is rewritten here, and nowhere else.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { exists, ROOT } from './shell.ts'

export const PUBLISHED: readonly string[] = ['kernel', 'verifier', 'runtime']

const ENGINES = { node: '>=24' }
const TEST_MARKS = ['.test.', '.test-support.', '.conformance.']
const TEST_FILES = ['testing.js', 'testing.d.ts', 'conformance']

/** Beside the sources, what a workspace needs at run time: from → to. */
const CARRIED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  runtime: [
    ['runtime/bin', 'bin'],
    ['console/dist', 'console'],
    ['testdata/reasons', 'testdata/reasons'],
  ],
}

export function stagePackage(workspace: string, into: string): string {
  const folder = join(into, workspace)
  mkdirSync(folder, { recursive: true })
  const dist = join(ROOT, workspace, 'dist')
  cpSync(dist, join(folder, 'dist'), { recursive: true, filter: (path) => !isTest(path) })
  for (const [from, to] of CARRIED[workspace] ?? []) {
    if (exists(from)) cpSync(join(ROOT, from), join(folder, to), { recursive: true })
  }
  for (const file of ['LICENSE', 'README.md']) cpSync(join(ROOT, file), join(folder, file))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(workspace), null, 2)}\n`)
  return folder
}

function manifestOf(workspace: string): object {
  const manifest = JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'))
  // Its script is the one that keeps sources from being packed.
  const { scripts: _, ...source } = manifest
  return {
    ...source,
    engines: ENGINES,
    exports: exportsOf(source.exports),
    types: './dist/index.d.ts',
    files: ['dist', ...(CARRIED[workspace] ?? []).map(([, to]) => to)],
  }
}

/** `./src/index.ts` becomes the JavaScript and the types of it. */
function exportsOf(sources: Readonly<Record<string, string>>): object {
  const built = Object.entries(sources).map(([name, source]) => {
    const stem = source.replace('./src/', './dist/').replace(/\.ts$/, '')
    return [name, { types: `${stem}.d.ts`, default: `${stem}.js` }]
  })
  return Object.fromEntries(built)
}

function isTest(path: string): boolean {
  const name = basename(path)
  return TEST_FILES.includes(name) || TEST_MARKS.some((mark) => name.includes(mark))
}
