/** What the doctor asks of the machine: Node, SQLite, the clock, and who can read the keys. */
import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isSealed, resolveStateDirectory } from 'rubicon-runtime/compose'
import type { StorePlace } from './call.ts'
import {
  attachRepair,
  createFailedCheck,
  createPassedCheck,
  createWarningCheck,
  type DoctorCheck,
} from './doctor-check.ts'
import { parseSqlitePath } from './open.ts'

const WANTED_NODE = 24
/** A clock before this release was made is wrong. */
const EARLIEST = Date.UTC(2026, 0, 1)
export const OWN_PURPOSES = ['operator', 'issuer', 'kernel', 'checkpoint'] as const

export function checkMachine(place: StorePlace): readonly DoctorCheck[] {
  return [checkNode(), checkSqlite(), checkClock(), ...checkStateFolder(place), ...storeFile(place)]
}

function checkNode(): DoctorCheck {
  const major = Number.parseInt(process.versions.node, 10)
  return major >= WANTED_NODE
    ? createPassedCheck('node', process.versions.node)
    : createFailedCheck('node', process.versions.node, `install Node ${WANTED_NODE} or newer`)
}

function checkSqlite(): DoctorCheck {
  const database = new DatabaseSync(':memory:')
  const version = String(database.prepare('SELECT sqlite_version() AS v').get()?.v)
  const compiled = database.prepare('PRAGMA compile_options').all()
  database.close()
  const options = compiled.map((row) => String(Object.values(row)[0]))
  return options.includes('THREADSAFE=0')
    ? createFailedCheck(
        'sqlite',
        `${version}, built without locks`,
        'use the Node that npm ci installs',
      )
    : createPassedCheck('sqlite', version)
}

function checkClock(): DoctorCheck {
  const now = new Date()
  return now.getTime() > EARLIEST
    ? createPassedCheck('clock', now.toISOString())
    : createFailedCheck(
        'clock',
        `it says ${now.toISOString()}`,
        'set the clock; times are evidence',
      )
}

/** Keys are for their owner alone. */
function checkStateFolder({ state, store, keyAgent }: StorePlace): readonly DoctorCheck[] {
  const folder = state ?? resolveStateDirectory(store)
  const keys = join(folder, 'keys')
  if (!existsSync(keys))
    return [
      createWarningCheck(
        'keys',
        `none in ${keys} yet`,
        'nothing to do: they are made with the first store',
      ),
    ]
  const files = listKeyFiles(keys, keyAgent !== undefined)
  const missing = files.filter((file) => !existsSync(join(keys, file)))
  const present =
    missing.length === 0
      ? createPassedCheck('keys', `all in ${keys}${isSealed(keys) ? ', sealed' : ''}`)
      : createFailedCheck(
          'keys',
          `${missing.join(', ')} not in ${keys}`,
          'restore them from your backup',
        )
  return [present, ...openPaths([folder, keys, ...files.map((file) => join(keys, file))])]
}

/** What must be there; an agent holds the signing keys itself. */
function listKeyFiles(keys: string, isWithAgent: boolean): readonly string[] {
  const own = isWithAgent ? [] : OWN_PURPOSES.map((purpose) => `${purpose}.pem`)
  const names = [...own, 'rows.key']
  return isSealed(keys) ? names.map((name) => `${name}.sealed`) : names
}

function openPaths(paths: readonly string[]): readonly DoctorCheck[] {
  // Windows has no such bits; the folder's list of rights decides there.
  if (process.platform === 'win32') return []
  const present = paths.filter((path) => existsSync(path))
  const open = present.filter((path) => (statSync(path).mode & 0o077) !== 0)
  return open.length === 0
    ? [createPassedCheck('rights', 'keys are readable by their owner alone')]
    : [
        attachRepair(
          createFailedCheck(
            'rights',
            `others can reach ${open.join(', ')}`,
            `chmod go-rwx ${open.join(' ')}`,
          ),
          {
            what: `take the rights of others from ${open.join(', ')}`,
            run: () => {
              for (const path of open) chmodSync(path, statSync(path).mode & 0o700)
            },
          },
        ),
      ]
}

function storeFile({ store }: StorePlace): readonly DoctorCheck[] {
  const path = parseSqlitePath(store)
  if (path === undefined || !existsSync(path)) return []
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const mode = database.prepare('PRAGMA journal_mode').get()?.journal_mode
    return mode === 'wal'
      ? [createPassedCheck('journal', 'write-ahead log')]
      : [
          createFailedCheck(
            'journal',
            `mode ${String(mode)}`,
            'was the file copied by hand? restore a backup',
          ),
        ]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [createFailedCheck('journal', why, 'keep the file as evidence and restore a backup')]
  } finally {
    database.close()
  }
}
