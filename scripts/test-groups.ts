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
  'scripts/',
  'sim/src/',
  'console/src/api/',
  'console/src/browser/',
  'console/src/frame/',
  'console/src/keys/',
  'console/src/pages/',
  'console/src/parts/',
  'console/src/time/',
  'console/src/url/',
]
/**
 * They change the environment, the working directory or a method that others call, install packages, or look at what
 * the whole process or the user of the machine has. Those that take long are alone, too.
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
/** Small enough that the last group keeps nobody waiting. */
const FILES_A_GROUP = 40

/** The programs to run, in the folder: `long` files first, then the others that are alone, then groups, which are short. */
export function groupTests(
  files: readonly string[],
  long: readonly string[],
  folder: string,
): readonly string[] {
  const isSharing = (file: string): boolean =>
    !long.includes(file) && !ALONE.includes(file) && SHARING.some((start) => file.startsWith(start))
  const sharing = files.filter(isSharing)
  const alone = files.filter((file) => !isSharing(file))
  const groups = [
    ...long.filter((file) => alone.includes(file)).map((file) => [file]),
    ...alone.filter((file) => !long.includes(file)).map((file) => [file]),
    ...buildGroups(sharing),
  ]
  return groups.map((group, index) => writeGroup(join(folder, `${index}.mjs`), group))
}

function buildGroups(files: readonly string[]): readonly (readonly string[])[] {
  // Kernel tests take milliseconds each.
  const kernel = files.filter((file) => file.startsWith('kernel/'))
  const others = files.filter((file) => !file.startsWith('kernel/'))
  return [...(kernel.length === 0 ? [] : [kernel]), ...splitList(others, FILES_A_GROUP)]
}

function splitList(files: readonly string[], most: number): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / most)
  return Array.from({ length: count }, (_, i) => files.slice(i * most, (i + 1) * most))
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
