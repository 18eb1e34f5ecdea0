/**
 * Which test files share a process. Each is a suite of its own there, named after it: its hooks are for its own
 * tests, and whatever fails in it, also in what several files share, is known to be of that file.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './shell.ts'

/**
 * Folders whose tests keep to their own memory and their own temporary folders: no environment, no
 * signal, no global of the process is changed there. A folder that breaks this is taken off the list.
 */
const SHARING = [
  'kernel/src/',
  'agents/src/',
  'verifier/src/',
  'runtime/src/adapters/',
  'runtime/src/capabilities/',
  'runtime/src/contract-file/',
  'runtime/src/engine/',
  'runtime/src/evidence/',
  'runtime/src/policies/',
  'gateway/src/',
  'server/src/http/',
  'server/src/people/',
  'sim/src/audit/',
  'console/src/api/',
  'console/src/keys/',
  'console/src/pages/',
  'console/src/parts/',
]
/** They change the environment, install packages, or take so long that others should not wait for them. */
const ALONE = [
  'verifier/src/go-note.test.ts',
  'server/src/http/connections/behind-nginx.findings.test.ts',
  'verifier/src/tamper.test.ts',
  'runtime/src/adapters/sqlite/opening.test.ts',
]
/** Small enough that a group which comes last keeps nobody waiting. */
const FILES_A_GROUP = 12

/** The programs to run, in the folder: `long` files first, then groups, then the rest. */
export function groupTests(
  files: readonly string[],
  long: readonly string[],
  folder: string,
): readonly string[] {
  const isSharing = (file: string): boolean =>
    !ALONE.includes(file) && SHARING.some((start) => file.startsWith(start))
  const sharing = files.filter(isSharing)
  const alone = files.filter((file) => !isSharing(file))
  const groups = [
    ...long.filter((file) => alone.includes(file)).map((file) => [file]),
    ...buildGroups(sharing),
    ...alone.filter((file) => !long.includes(file)).map((file) => [file]),
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
  const suites = files.map((file) => {
    const url = pathToFileURL(join(ROOT, file)).href
    return `describe(${JSON.stringify(file)}, async () => { await import(${JSON.stringify(url)}) })\n`
  })
  writeFileSync(path, `import { describe } from 'node:test'\n${suites.join('')}`)
  return path
}
