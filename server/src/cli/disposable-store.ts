/**
 * Stores that were made to be thrown away: those of `rubicon dev`, `quickstart` and `up --demo`. A mark in the state
 * directory says so, and nothing else does: neither the name of a file nor the agents in it.
 *
 * S1 a mark is written only where neither a store nor anything in its state directory was there before.
 * S2 a mark counts for the store that it names and for no other: a state directory may be given to several.
 * S3 a mark ends when somebody serves the store for more than a look: `rubicon up` without `--demo` removes it.
 * S4 what is deleted is what a runtime writes, by its names. Whatever else lies in the folders stays.
 * S5 nothing is deleted where another tenant has begun a ledger since, in the file or with these keys.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isObject, parseJson } from 'rubicon-kernel'
import { normaliseStorePlace, takeOwnership } from 'rubicon-runtime/compose'
import { CliFailure } from './failure.ts'
import { findOtherLedger } from './find-other-ledger.ts'
import { parseSqlitePath } from './open.ts'

export const DISPOSABLE_MAKERS = ['dev', 'quickstart', 'demo'] as const
export type DisposableMaker = (typeof DISPOSABLE_MAKERS)[number]

export type DisposablePlace = { readonly store: string; readonly state: string }

export type DisposableMark = {
  readonly made_by: DisposableMaker
  /** Path of the file. */
  readonly store: string
  readonly tenant: string
  readonly at: string
}

const MARK = 'disposable.json'
const OWNER_ONLY = 0o600

/** Beside the file of a database. */
const STORE_SUFFIXES = ['', '-wal', '-shm', '-journal']

/**
 * What runtimes, servers and demos keep in a state directory; tokens have names of people before their suffix. The index has
 * the words of the ledger. Keys of agents and secrets of MCP servers stay: whoever put them there may need them elsewhere.
 */
const STATE_NAMES: ReadonlySet<string> = new Set([
  ...['keys', 'heads', 'checkpoints', 'artifacts', 'run', 'demo-project', 'demo-mcp'],
  ...['people.json', 'people.json.lock', 'mcp-tokens.json', 'mcp-tokens.json.lock'],
  ...['server.log', 'open.html', 'shell-history', MARK],
  ...STORE_SUFFIXES.map((suffix) => `search.db${suffix}`),
])
const TOKEN_SUFFIX = '.token'

/** Whether a store that is made there now would be nobody's but the maker's. */
export function isUnused({ store, state }: DisposablePlace): boolean {
  const path = parseSqlitePath(store)
  const found = path === undefined || lstatSync(path, { throwIfNoEntry: false }) !== undefined
  return !found && listNames(state).length === 0
}

/** Asked before the store is made; see S1. */
export function markDisposable(
  place: DisposablePlace,
  made_by: DisposableMaker,
  tenant: string,
): boolean {
  if (!isUnused(place)) return false
  const { state } = place
  const mark: DisposableMark = {
    made_by,
    store: normaliseStorePlace(place.store),
    tenant,
    at: new Date().toISOString(),
  }
  mkdirSync(state, { recursive: true, mode: 0o700 })
  writeFileSync(join(state, MARK), `${JSON.stringify(mark, null, 2)}\n`, {
    mode: OWNER_ONLY,
    flag: 'wx',
  })
  return true
}

/** S3. */
export function removeDisposableMark(place: DisposablePlace): void {
  if (readDisposableMark(place) !== null) rmSync(join(place.state, MARK), { force: true })
}

/** Null: there is none, or it is of another store. */
export function readDisposableMark({ store, state }: DisposablePlace): DisposableMark | null {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(join(state, MARK))
  } catch {
    return null
  }
  const read = parseJson(bytes)
  if (!read.ok || !isObject(read.value)) return null
  const { made_by, store: named, tenant, at } = read.value
  const maker = DISPOSABLE_MAKERS.find((one) => one === made_by)
  if (maker === undefined || typeof named !== 'string') return null
  if (typeof tenant !== 'string' || typeof at !== 'string') return null
  if (findRealPath(named) !== findRealPath(normaliseStorePlace(store))) return null
  return { made_by: maker, store: named, tenant, at }
}

/** What `deleteDisposable` would remove, and how large the ledger is. */
export function listDisposableFiles(place: DisposablePlace): {
  readonly paths: readonly string[]
  readonly bytes: number
} {
  const paths = [...listStoreFiles(place), ...listStateFiles(place)]
  const bytes = listStoreFiles(place).reduce((sum, path) => sum + statSync(path).size, 0)
  return { paths, bytes }
}

/** Only of a place with a mark. The mark goes last: what is interrupted can be begun again. */
export function deleteDisposable(
  place: DisposablePlace,
  remove: (path: string) => void = (path) => rmSync(path, { recursive: true, force: true }),
): readonly string[] {
  const mark = readDisposableMark(place)
  if (mark === null)
    throw new CliFailure({
      code: 'STORE_NOT_DISPOSABLE',
      summary: `\`${place.store}\` was not made by \`dev\`, \`quickstart\` or \`up --demo\``,
      fix: 'look at what it is; nothing was deleted',
    })
  const path = resolve(parseSqlitePath(place.store) ?? '')
  const hasFolder = existsSync(dirname(path))
  // Held until all is gone: a runtime that opened half of it would lose its keys while it runs.
  const held = hasFolder ? takeOwnership(path) : null
  try {
    assertNobodyElses(place, mark)
    const { paths } = listDisposableFiles(place)
    for (const one of paths) remove(one)
    if (hasFolder) rmSync(`${path}-owner`, { force: true })
    removeIfEmpty(resolve(place.state))
    return paths
  } finally {
    held?.release()
  }
}

/** S5. */
export function assertNobodyElses(place: DisposablePlace, { tenant }: DisposableMark): void {
  const other = findOtherLedger(place, tenant)
  if (other === null) return
  throw new CliFailure({
    code: 'STORE_NOT_DISPOSABLE',
    summary: `\`${place.store}\` was made to be thrown away, but ${other}`,
    why: 'a ledger is evidence, and without its keys nobody can go on with it',
    fix: 'look at what it is; nothing was deleted',
  })
}

function listStoreFiles({ store }: DisposablePlace): readonly string[] {
  const path = resolve(parseSqlitePath(store) ?? '')
  return STORE_SUFFIXES.map((suffix) => `${path}${suffix}`).filter(isFile)
}

function listStateFiles({ state }: DisposablePlace): readonly string[] {
  return listNames(state)
    .filter((name) => STATE_NAMES.has(name) || name.endsWith(TOKEN_SUFFIX))
    .sort((a, b) => Number(a === MARK) - Number(b === MARK))
    .map((name) => join(resolve(state), name))
}

/** The same by every way to it: links lead to one store. */
function findRealPath(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    return path
  }
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && listNames(folder).length === 0) rmdirSync(folder)
}
