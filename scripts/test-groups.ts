/**
 * Which test files share a process. Each is a suite of its own there, named after it: its hooks are for its own
 * tests, and whatever fails in it, also in what several files share, is known to be of that file.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './shell.ts'
import { LOADING } from './test-cost.ts'

/**
 * Folders whose tests keep to their own memory and their own temporary folders: no environment, no
 * signal, no global of the process is changed there. A folder that breaks this is taken off the list.
 */
const SHARING = [
  'bench/src/',
  'kernel/src/',
  'agents/src/',
  'artifacts/src/',
  'examples/',
  'verifier/src/',
  'runtime/src/',
  'gateway/src/',
  'server/src/cli/',
  'server/src/demo/',
  'server/src/http/',
  'server/src/local-socket/',
  'server/src/mcp/',
  'server/src/people/',
  'server/src/search/',
  'scenarios/src/',
  'scripts/',
  'sim/src/',
  'console/src/api/',
  'console/src/browser/',
  'console/src/docs-pages/',
  'console/src/frame/',
  'console/src/keys/',
  'console/src/notices/',
  'console/src/pages/',
  'console/src/parts/',
  'console/src/style/',
  'console/src/time/',
  'console/src/url/',
]
/** They load little. */
const KERNEL = 'kernel/src/'
/**
 * They change the environment, the working directory or a method that others call, install packages, or look at what
 * the whole process or the user of the machine has.
 */
const ALONE = [
  'runtime/src/adapters/sqlite/opening.test.ts',
  'runtime/src/tools/command/command.test.ts',
  'runtime/src/tools/http/answers.test.ts',
  'runtime/src/tools/http/egress.test.ts',
  'runtime/src/tools/http/secrets.test.ts',
  'runtime/src/tools/http/tls.test.ts',
  'server/src/http/connections/behind-nginx.findings.test.ts',
  'server/src/cli/archive-again.test.ts',
  'server/src/cli/create-project.test.ts',
  'server/src/cli/dev/dev.test.ts',
  'server/src/cli/evidence-verbs.test.ts',
  'server/src/cli/launcher.test.ts',
  'server/src/cli/running-server.test.ts',
  'server/src/cli/secrets.findings.test.ts',
  'server/src/cli/tool-verbs.test.ts',
  'scripts/console-check.test.ts',
  'scripts/docs-try.test.ts',
  'scripts/docs.test.ts',
  'sim/src/patches/hook.test.ts',
  'sim/src/patches/production.findings.test.ts',
  'console/src/browser/held-page.test.ts',
]
/**
 * What a file takes by itself is mostly what every process pays once: modules, schemas and tables, and code that is not
 * yet compiled. So there are few groups, each of a tenth of the run or less: small enough for two cores to share them.
 */
const GROUP_WEIGHT = 100
/** What a file weighs, by about what it takes of a processor. */
const FILE_WEIGHT = 1
const LONG_WEIGHT = 15
/** Kernel tests take milliseconds each. */
const KERNEL_WEIGHT = 0.1

type Group = { readonly files: readonly string[]; readonly weight: number }

export type Program = { readonly path: string; readonly files: readonly string[] }

/** The programs to run, in the folder, those with the most long files first: no core waits for the last of them. */
export function groupTests(
  files: readonly string[],
  long: readonly string[],
  folder: string,
): readonly Program[] {
  const weigh = (file: string): number => {
    if (long.includes(file)) return LONG_WEIGHT
    return file.startsWith(KERNEL) ? KERNEL_WEIGHT : FILE_WEIGHT
  }
  const isSharing = (file: string): boolean =>
    !ALONE.includes(file) && SHARING.some((start) => file.startsWith(start))
  const alone = files.filter((file) => !isSharing(file))
  const groups: readonly Group[] = [
    ...buildGroups(files.filter(isSharing), weigh),
    ...alone.map((file) => ({ files: [file], weight: weigh(file) })),
  ]
  const countLong = (group: Group): number =>
    group.files.filter((file) => long.includes(file)).length
  return groups
    .toSorted((a, b) => countLong(b) - countLong(a) || b.weight - a.weight)
    .map(({ files }, index) => ({ path: writeGroup(join(folder, `${index}.mjs`), files), files }))
}

/** Neighbours share a group, for they load the same; those of the kernel need nothing else. */
function buildGroups(files: readonly string[], weigh: (file: string) => number): readonly Group[] {
  const kernel = files.filter((file) => file.startsWith(KERNEL))
  const others = files.filter((file) => !file.startsWith(KERNEL))
  return [...splitList(kernel, weigh), ...splitList(others, weigh)]
}

/** Into as few parts as the weight of a group allows, of about the same weight. */
function splitList(files: readonly string[], weigh: (file: string) => number): readonly Group[] {
  const sum = (some: readonly string[]): number =>
    some.reduce((weight, file) => weight + weigh(file), 0)
  const share = sum(files) / Math.ceil(sum(files) / GROUP_WEIGHT)
  // By the weight of all files before it.
  let before = 0
  const parts = Map.groupBy(files, (file) => {
    const part = Math.floor(before / share)
    before += weigh(file)
    return part
  })
  return [...parts.values()].map((part) => ({ files: part, weight: sum(part) }))
}

export function writeGroup(path: string, files: readonly string[]): string {
  const [cost, following] = ['test-cost.ts', 'test-following.ts'].map((name) =>
    JSON.stringify(pathToFileURL(join(ROOT, 'scripts', name)).href),
  )
  const suites = files.map((file, index) => {
    const url = pathToFileURL(resolve(ROOT, file)).href
    const loaded = index === 0 ? `stopFollowing(); recordCost(${quote(toLoading(file))})` : ''
    return `describe(${quote(file)}, async () => {
before(() => { enterFile(${quote(file)}); ${loaded} })
await import(${quote(url)})
after(() => recordCost(${quote(file)}))
})
`
  })
  writeFileSync(
    path,
    `import { enterFile, stopFollowing } from ${following}
import { after, before, describe } from 'node:test'
import { recordCost } from ${cost}
${suites.join('')}`,
  )
  return path
}

function quote(text: string): string {
  return JSON.stringify(text)
}

/** What it takes to load a process whose first file this is. */
function toLoading(file: string): string {
  return `${LOADING}${file} and those with it`
}
