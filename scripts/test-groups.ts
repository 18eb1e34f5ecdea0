/** Which test files share a process. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './shell.ts'

/**
 * Folders whose tests keep to their own memory and their own temporary folders: no environment, no
 * signal, no global of the process is changed there. A folder that breaks this is taken off the list.
 */
const SHARING = [
  'kernel/src/',
  'verifier/src/',
  'runtime/src/adapters/',
  'runtime/src/capabilities/',
  'runtime/src/client/',
  'runtime/src/contract-file/',
  'runtime/src/engine/',
  'runtime/src/evidence/',
  'runtime/src/policies/',
  'runtime/src/server/',
  'sim/src/audit/',
  'console/src/api/',
  'console/src/keys/',
  'console/src/pages/',
  'console/src/parts/',
]
/** They change the environment, install packages, or take so long that others should not wait for them. */
const ALONE = [
  'verifier/src/go-note.test.ts',
  'runtime/src/server/connections/behind-nginx.findings.test.ts',
  'verifier/src/tamper.test.ts',
  'runtime/src/adapters/sqlite/opening.test.ts',
]
/** Hooks of a file are those of its whole process: in a group they would run before and after the tests of others. */
const HOOKS = /^(?:test\.)?(?:before|after)(?:Each)?\(/m

/** Small enough that a group which comes last keeps nobody waiting. */
const FILES_A_GROUP = 12

/** The files to run, absolute: `long` ones first, then one for each group, written to the folder, then the rest. */
export function groupTests(
  files: readonly string[],
  long: readonly string[],
  folder: string,
): readonly string[] {
  const isSharing = (file: string): boolean => {
    if (ALONE.includes(file) || !SHARING.some((start) => file.startsWith(start))) return false
    const path = join(ROOT, file)
    return !existsSync(path) || !HOOKS.test(readFileSync(path, 'utf8'))
  }
  const sharing = files.filter(isSharing)
  const alone = files.filter((file) => !isSharing(file))
  return [
    ...long.filter((file) => alone.includes(file)).map((file) => join(ROOT, file)),
    ...buildGroups(sharing).map((group, index) => writeGroup(join(folder, `${index}.mjs`), group)),
    ...alone.filter((file) => !long.includes(file)).map((file) => join(ROOT, file)),
  ]
}

function buildGroups(files: readonly string[]): readonly (readonly string[])[] {
  // Kernel tests take milliseconds each.
  const kernel = files.filter((file) => file.startsWith('kernel/'))
  const others = files.filter((file) => !file.startsWith('kernel/'))
  const groups = kernel.length === 0 ? [] : [kernel]
  for (let first = 0; first < others.length; first += FILES_A_GROUP) {
    groups.push(others.slice(first, first + FILES_A_GROUP))
  }
  return groups
}

function writeGroup(path: string, files: readonly string[]): string {
  const urls = files.map((file) => pathToFileURL(join(ROOT, file)).href)
  writeFileSync(path, urls.map((url) => `await import(${JSON.stringify(url)})\n`).join(''))
  return path
}
