/**
 * `rubicon reset`: deletes a store that was made to be thrown away. Neither RUBICON_STORE nor RUBICON_STATE counts here: what is
 * deleted stands on the command line, or is the dev store of this folder.
 */
import { resolve } from 'node:path'
import { resolveStateDirectory, takeOwnership } from 'rubicon-runtime/compose'
import { StoreError } from 'rubicon-runtime/ports'
import { type CommandCall, createUsageFailure } from './call.ts'
import { confirm } from './confirm.ts'
import { getDevPlace } from './dev/dev-place.ts'
import {
  assertNobodyElses,
  type DisposableMark,
  type DisposablePlace,
  deleteDisposable,
  isUnused,
  listDisposableFiles,
  readDisposableMark,
} from './disposable-store.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { parseSqlitePath } from './open.ts'
import { SYMBOLS } from './output.ts'

const MAKERS: Readonly<Record<DisposableMark['made_by'], string>> = {
  dev: '`rubicon dev`',
  quickstart: '`rubicon quickstart`',
  demo: '`rubicon up --demo`',
}

export async function resetStore(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const place = choosePlace(call)
  const path = resolve(parseSqlitePath(place.store) ?? '')
  const mark = readDisposableMark(place)
  if (mark === null)
    throw isUnused(place) ? createNoneFailure(path) : createKeptFailure(place, path)
  const { paths, bytes } = listDisposableFiles(place)
  // Before anybody is asked: whoever has it open is named first.
  if (bytes > 0) assertNotInUse(path)
  assertNobodyElses(place, mark)
  out.line(`${out.symbol(SYMBOLS.info)} ${escapeText(path)}`)
  out.line(`  made by  ${MAKERS[mark.made_by]}, ${mark.at}`)
  out.line(`  ledger   ${formatKilobytes(bytes)}`)
  out.line(`  keys     ${escapeText(resolve(place.state))}`)
  await confirm(call, { what: 'this deletes the ledger, its keys and its tokens', name: 'reset' })
  deleteDisposable(place)
  out.line(`${out.symbol(SYMBOLS.allowed)} deleted`)
  out.data({ store: path, state: resolve(place.state), made_by: mark.made_by, deleted: paths })
  return EXIT.done
}

function assertNotInUse(path: string): void {
  try {
    takeOwnership(path).release()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'STORE_LOCKED') throw error
    const fix =
      'stop the process that serves it first; in the terminal of `rubicon dev`, `r` deletes it and begins again'
    throw new StoreError(error.code, error.message, fix, error)
  }
}

function choosePlace({ options, place }: CommandCall): DisposablePlace {
  const isNamed = options.text('store') !== undefined || options.text('storeFile') !== undefined
  if (!isNamed) return { ...getDevPlace(resolve('.')), ...pickState(place.state) }
  if (options.hasFlag('dev'))
    throw createUsageFailure('`--dev` and `--store` both name a store', 'leave one of them out')
  if ((parseSqlitePath(place.store) ?? '') === '')
    throw createUsageFailure(
      'only a SQLite file is deleted',
      'name one: `--store sqlite:PATH`; a database on a server has commands of its own',
    )
  const state = place.state ?? resolveStateDirectory(place.store)
  return { store: place.store, state: resolve(state) }
}

function pickState(state: string | undefined): Partial<DisposablePlace> {
  return state === undefined ? {} : { state: resolve(state) }
}

function createNoneFailure(path: string): CliFailure {
  return new CliFailure({
    code: 'STORE_MISSING',
    summary: `there is nothing to delete: \`${path}\` does not exist`,
    fix: 'go to the folder where `rubicon dev` was started, or name the store with --store and --state',
  })
}

function createKeptFailure(place: DisposablePlace, path: string): CliFailure {
  return new CliFailure({
    code: 'STORE_NOT_DISPOSABLE',
    summary: `\`${path}\` has no mark of \`dev\`, \`quickstart\` or \`up --demo\` in \`${place.state}\``,
    why: 'a ledger is evidence: only a store that was made to be thrown away is deleted',
    fix: 'check --store and --state; nothing was deleted; a store whose record nobody needs is removed by hand, with its state directory',
  })
}

function formatKilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`
}
