/** Where tests write, and what they and the processes that they start are told. */
import { chmodSync, mkdirSync, mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENVIRONMENT, ROOT } from './shell.ts'
import { COSTS_VARIABLE } from './test-cost.ts'

/** A folder in memory, and how much room there must be in it: hundreds of databases are made there. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES = 8 * 2 ** 30

/** Short: the path of a socket has room for few characters. */
export const SOCKETS = 'r'

/** Tells Node where sources of ours are, instead of letting it look. */
export const RESOLVER: string = join(ROOT, 'scripts/resolve-sources.cjs')

export type TestEnvironment = {
  readonly temporary: string
  /** Where every file's cost is written. */
  readonly costs: string
  readonly full: boolean
}

/** In memory where there is plenty, for half of what stores do is to wait for a disk. */
export function chooseTemporary(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    const isRoomy = Math.min(bavail * bsize, freemem()) > MEMORY_BYTES
    return mkdtempSync(join(isRoomy ? MEMORY_FOLDER : tmpdir(), 'rubicon-test-'))
  } catch {
    return mkdtempSync(join(tmpdir(), 'rubicon-test-'))
  }
}

export function prepareEnvironment({ temporary, costs, full }: TestEnvironment): void {
  // A database server runs as somebody else, and finds its folder below.
  chmodSync(temporary, 0o711)
  mkdirSync(join(temporary, SOCKETS), { mode: 0o700 })
  // A path may hold blanks.
  const resolver = `--require=${JSON.stringify(RESOLVER)}`
  Object.assign(process.env, ENVIRONMENT, {
    TMPDIR: temporary,
    // Sockets whose own path is too long stand there, and not in somebody's home.
    XDG_RUNTIME_DIR: join(temporary, SOCKETS),
    // Hundreds of processes load the same modules: only the first of them compiles each.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/rubicon-test'),
    NODE_OPTIONS: [process.env.NODE_OPTIONS, resolver].filter(Boolean).join(' '),
    RUBICON_FULL: full ? '1' : '',
    RUBICON_CONSOLE: 'built',
    [COSTS_VARIABLE]: costs,
  })
  // Hints name the command as it was started: the same whether a run is by `npm test` or not.
  delete process.env.npm_command
}
