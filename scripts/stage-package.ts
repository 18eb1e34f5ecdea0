/**
 * Makes a publishable folder of a workspace: JavaScript and types instead of sources, without tests.
 *
 * Sources run as they are in the repository, but Node strips no types under `node_modules`, and npm
 * ignores `publishConfig.exports`. So `exports` is rewritten here, and nowhere else.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { readNodePackages } from './node-packages.ts'
import { buildPackageEntry } from './package-entry.ts'
import { hasPath, ROOT } from './shell.ts'

const WANTED = 24
const ENGINES = { node: `>=${WANTED}` }
/** Of what needs the SQLite of its Node. */
const ENTRY = 'entry.js'
const TEST_MARKS = ['.test.', '.test-support.', '.conformance.']
const TEST_FILES = ['testing.js', 'testing.d.ts', 'conformance']

/** Beside the sources, what a workspace needs at run time: from → to. */
const CARRIED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  runtime: [['testdata/reasons', 'testdata/reasons']],
  server: [
    ['server/bin', 'bin'],
    ['console/dist', 'console'],
    ['examples/first-agent', 'project'],
  ],
}

export function preparePackage(workspace: string, into: string): string {
  const folder = join(into, workspace)
  mkdirSync(folder, { recursive: true })
  const dist = join(ROOT, workspace, 'dist')
  const isWanted = (path: string): boolean => !isTest(path) && hasSource(workspace, path)
  cpSync(dist, join(folder, 'dist'), { recursive: true, filter: isWanted })
  for (const [from, to] of CARRIED[workspace] ?? []) {
    if (hasPath(from)) cpSync(join(ROOT, from), join(folder, to), { recursive: true })
  }
  if (hasStore(workspace)) {
    const index = readFileSync(join(folder, 'dist', 'index.js'), 'utf8')
    const entry = buildPackageEntry(`rubicon-${workspace}`, index, WANTED)
    writeFileSync(join(folder, 'dist', ENTRY), entry)
  }
  for (const file of ['LICENSE', 'README.md']) cpSync(join(ROOT, file), join(folder, file))
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(buildManifest(workspace), null, 2)}\n`,
  )
  return folder
}

export function buildManifest(workspace: string): object {
  const manifest = JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'))
  // Its script is the one that keeps sources from being packed.
  const { scripts: _, ...source } = manifest
  return {
    ...source,
    engines: ENGINES,
    // Whoever has an older Node gets one that fits beside the packages: `npx rubicon` and `npx node` find it.
    ...(hasStore(workspace) ? { optionalDependencies: readNodePackages() } : {}),
    exports: buildExports(source.exports, hasStore(workspace) ? ENTRY : 'index.js'),
    types: './dist/index.d.ts',
    files: ['dist', ...(CARRIED[workspace] ?? []).map(([, to]) => to)],
  }
}

function hasStore(workspace: string): boolean {
  return workspace === 'runtime' || workspace === 'server'
}

/** `./src/index.ts` becomes the JavaScript and the types of it. */
function buildExports(sources: Readonly<Record<string, string>>, entry: string): object {
  const built = Object.entries(sources).map(([name, source]) => {
    const stem = source.replace('./src/', './dist/').replace(/\.ts$/, '')
    const module = name === '.' ? `./dist/${entry}` : `${stem}.js`
    return [name, { types: `${stem}.d.ts`, default: module }]
  })
  return Object.fromEntries(built)
}

/** The compiler leaves what it built of files that were moved or removed since. */
function hasSource(workspace: string, path: string): boolean {
  const built = relative(join(ROOT, workspace, 'dist'), path)
  const stem = built.replace(/(\.d\.ts|\.js)$/, '')
  return stem === built || hasPath(join(workspace, 'src', `${stem}.ts`))
}

function isTest(path: string): boolean {
  const name = basename(path)
  return TEST_FILES.includes(name) || TEST_MARKS.some((mark) => name.includes(mark))
}
