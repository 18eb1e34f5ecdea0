/** What a package has for the others of this repository is what they use: nothing stands there for nobody. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './shell.ts'
import { parseImports } from './source-text.ts'
import { PACKAGES } from './walls.ts'

const USERS = ['agents', 'gateway', 'server', 'scenarios', 'console', 'sim', 'bench']

/** The law is used by everybody. */
const KERNEL_USERS = [
  ...[...USERS, 'verifier', 'runtime', 'artifacts'].map(
    (workspace) => `${workspace}/src/**/*.{ts,tsx}`,
  ),
  '{scripts,examples,console/docs}/**/*.ts',
]

/** The files of the kernel that are a concept of all its folders. */
const LOOSE = ['assert', 'limits', 'reason', 'result']

function parseNames(text: string, statement: RegExp): readonly string[] {
  return [...text.matchAll(statement)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((one) => one.trim().replace(/^type /, ''))
      .filter((one) => one !== ''),
  )
}

function parseExportedNames(text: string): readonly string[] {
  return parseNames(text, /^export (?:type )?\{([^}]*)\}/gm)
}

/** By whichever of its entrances; what is exported again is used too. */
function parseKernelNames(text: string): readonly string[] {
  const names = parseNames(
    text,
    /^(?:import|export) (?:type )?\{([^}]*)\} from '(?:rubicon-kernel(?:\/[a-z]+)?|(?:\.\.\/)+kernel\/src\/[^']*)'/gm,
  )
  return names.map((one) => one.split(' as ')[0] ?? one)
}

test('a name is exported for other packages, and none of them uses it', () => {
  const texts = USERS.flatMap((workspace) =>
    globSync(`${workspace}/src/**/*.{ts,tsx}`, { cwd: ROOT }),
  )
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .filter((text) => text.includes("'rubicon-runtime/"))
  const indexes = Object.entries(PACKAGES).filter(
    ([name, file]) => name.startsWith('rubicon-runtime/') && basename(file) === 'index.ts',
  )
  assert.ok(indexes.length > 15, 'the rooms of the engine and the folders beside it')
  const unused = indexes.flatMap(([name, file]) => {
    const users = texts.filter((text) => text.includes(`'${name}'`))
    return parseExportedNames(readFileSync(join(ROOT, file), 'utf8'))
      .filter((one) => !users.some((text) => new RegExp(`\\b${one}\\b`).test(text)))
      .map((one) => `${name}: ${one}`)
  })
  assert.deepEqual(unused, [])
})

/** Path → text, of the sources of the kernel. */
type KernelSources = ReadonlyMap<string, string>

/** What is wrong with the entrances of the kernel: its folders, its loose files, its `exports`. */
function findEntranceProblems(
  sources: KernelSources,
  packages: Readonly<Record<string, string>>,
): readonly string[] {
  const paths = [...sources.keys()].map((path) => path.slice('kernel/src/'.length))
  const folders = new Set(paths.filter((path) => path.includes('/')).map((path) => dirname(path)))
  const loose = paths.filter((path) => !path.includes('/') && path !== 'index.ts')
  const root = parseImports(sources.get('kernel/src/index.ts') ?? '').map(({ from }) => from)
  const wanted = [
    ...[...folders].map((name) => [name, `${name}/index.ts`] as const),
    ...LOOSE.map((name) => [name, `${name}.ts`] as const),
  ]
  const known = new Map(wanted.map(([name, file]) => [`rubicon-kernel/${name}`, file]))
  return [
    ...wanted.filter(([, file]) => !paths.includes(file)).map(([, file]) => `no ${file}`),
    ...wanted
      .filter(([name, file]) => packages[`rubicon-kernel/${name}`] !== `kernel/src/${file}`)
      .map(([name]) => `not in package.json: ${name}`),
    ...wanted
      .filter(([, file]) => !root.includes(`./${file}`))
      .map(([name]) => `not in index.ts: ${name}`),
    ...Object.keys(packages)
      .filter((name) => name.startsWith('rubicon-kernel/') && !known.has(name))
      .map((name) => `leads nowhere: ${name}`),
    ...loose
      .filter((file) => !LOOSE.includes(basename(file, '.ts')))
      .map((file) => `outside of folders: ${file}`),
    ...[...folders].flatMap((folder) =>
      parseImports(sources.get(`kernel/src/${folder}/index.ts`) ?? '')
        .filter(({ from }) => !/^\.\/[^/]+$/.test(from))
        .map(({ from }) => `${folder} has what is not its own: ${from}`),
    ),
  ]
}

function readKernel(): KernelSources {
  const paths = globSync('kernel/src/**/*.ts', { cwd: ROOT }).filter(
    (path) => !/\.test(-support)?\.ts$/.test(path),
  )
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

test('a folder of the kernel has no entrance, or one that others cannot come in by', () => {
  const sources = readKernel()
  assert.deepEqual(findEntranceProblems(sources, PACKAGES), [])
  const without = (path: string): KernelSources =>
    new Map([...sources].filter(([one]) => one !== path))
  const beside = (path: string, text: string): KernelSources => new Map([...sources, [path, text]])
  const { 'rubicon-kernel/writ': _, ...closed } = PACKAGES
  assert.deepEqual(findEntranceProblems(without('kernel/src/writ/index.ts'), PACKAGES), [
    'no writ/index.ts',
  ])
  assert.deepEqual(findEntranceProblems(sources, closed), ['not in package.json: writ'])
  assert.deepEqual(
    findEntranceProblems(sources, { ...PACKAGES, 'rubicon-kernel/old': 'kernel/src/old/index.ts' }),
    ['leads nowhere: rubicon-kernel/old'],
  )
  assert.deepEqual(findEntranceProblems(beside('kernel/src/new/a.ts', ''), PACKAGES), [
    'no new/index.ts',
    'not in package.json: new',
    'not in index.ts: new',
  ])
  assert.deepEqual(findEntranceProblems(beside('kernel/src/stray.ts', ''), PACKAGES), [
    'outside of folders: stray.ts',
  ])
  const foreign = beside('kernel/src/jit/index.ts', "export { a } from '../flow/a.ts'\n")
  assert.deepEqual(findEntranceProblems(foreign, PACKAGES), [
    'jit has what is not its own: ../flow/a.ts',
  ])
})

/** Names that an entrance of the kernel has, and none of the texts imports. */
function findUnusedNames(
  entrances: readonly string[],
  users: readonly string[],
): readonly string[] {
  const used = new Set(users.flatMap((text) => parseKernelNames(text)))
  return entrances.flatMap((text) => parseExportedNames(text)).filter((one) => !used.has(one))
}

test('the kernel has a name for other packages, and none of them uses it', () => {
  const entrances = [...readKernel()]
    .filter(([path]) => basename(path) === 'index.ts')
    .map(([, text]) => text)
  assert.ok(entrances.length > 15, 'every folder, and the kernel itself')
  const users = globSync(KERNEL_USERS, { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  )
  assert.deepEqual(findUnusedNames(entrances, users), [])
  const index = "export { type A, b, c, d } from './a.ts'\n"
  const user =
    "import { type A, b as other } from 'rubicon-kernel/writ'\nexport { d } from 'rubicon-kernel'\nimport { c } from 'elsewhere'\n"
  assert.deepEqual(findUnusedNames([index], [user]), ['c'])
})
