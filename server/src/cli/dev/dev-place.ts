/**
 * Where a project is served for its author: a store and keys of its own, below `.rubicon/dev`. Only what stands on the
 * command line counts: neither RUBICON_STORE nor RUBICON_STATE, which name the store of a runtime that is in use.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type CommandCall, createUsageFailure } from '../call.ts'
import {
  type DisposablePlace,
  deleteDisposable,
  isUnused,
  markDisposable,
  readDisposableMark,
} from '../disposable-store.ts'
import { CliFailure } from '../failure.ts'
import { parseSqlitePath } from '../open.ts'
import { DEV_STATE, DEV_STORE } from '../store-option.ts'

export type DevPlace = DisposablePlace & {
  readonly folder: string
  readonly tenant: string
  /** The module with capabilities and policies, or a tools file; null: the project's own, if it has one. */
  readonly namedRules: string | null
}

/** Looked for in this order, where nobody names one. */
const RULES_FILES = ['rules.ts', 'rules.mts', 'rules.js', 'rules.mjs', 'tools.yaml', 'tools.json']

export function chooseDevPlace({ args, options, place }: CommandCall): DevPlace {
  const folder = resolve(args[0] ?? '.')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CliFailure({
      code: 'FOLDER_MISSING',
      summary: `\`${folder}\` is no folder`,
      fix: 'name the folder of a project; `rubicon init FOLDER` makes one',
    })
  const disposable = { ...getDevPlace(folder), ...parseNamedPlace({ options, place }) }
  const named = options.text('rules')
  const namedRules = named === undefined ? null : resolve(named)
  return { folder, tenant: place.tenant, namedRules, ...disposable }
}

/** Of a project, when nobody says. */
export function getDevPlace(folder: string): DisposablePlace {
  return { store: `sqlite:${join(folder, DEV_STORE)}`, state: join(folder, DEV_STATE) }
}

function parseNamedPlace({
  options,
  place,
}: Pick<CommandCall, 'options' | 'place'>): Partial<DisposablePlace> {
  const isNamed = options.text('store') !== undefined || options.text('storeFile') !== undefined
  if (isNamed && (parseSqlitePath(place.store) ?? '') === '')
    throw createUsageFailure(
      'a dev store is a SQLite file',
      'name one: `--store sqlite:PATH`, or leave it out',
    )
  if (isNamed && place.state === undefined)
    throw createUsageFailure(
      '`--store` without `--state`',
      'name a folder for the keys of the dev store, too; or leave both out',
    )
  return {
    ...(isNamed ? { store: place.store } : {}),
    ...(place.state === undefined ? {} : { state: resolve(place.state) }),
  }
}

/** Looked for again with every change: a project may get its first one while it is served. */
export function findRulesFile({ folder, namedRules }: DevPlace): string | null {
  if (namedRules !== null) return namedRules
  const found = RULES_FILES.find((name) => existsSync(join(folder, name)))
  return found === undefined ? null : join(folder, found)
}

/** Makes it if there is none. What somebody else made is refused. */
export function prepareDevPlace(place: DevPlace): void {
  const made = readDisposableMark(place)
  const path = resolve(parseSqlitePath(place.store) ?? '')
  if (made?.made_by === 'dev') {
    if (existsSync(path)) return
    // A reset was interrupted: keys and heads of a ledger that is gone fit no other.
    deleteDisposable(place)
  }
  if (!isUnused(place)) {
    const by = made === null ? 'a runtime that is in use, or by hand' : `\`${made.made_by}\``
    throw new CliFailure({
      code: 'STORE_NOT_DEV',
      summary: `\`${place.store}\`, or what lies in \`${place.state}\`, was not made by \`rubicon dev\``,
      why: `it was made by ${by}: every change of a file would be deployed there, and \`r\` would delete it`,
      fix: 'leave --store and --state out, or name a file and a folder that do not exist yet',
    })
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  markDisposable(place, 'dev', place.tenant)
}
