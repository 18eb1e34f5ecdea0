/**
 * Where a scenario plays: in a folder of its own, or in the store that somebody names. Only what stands
 * on the command line counts: nobody plays in the store of their runtime because RUBICON_STORE names it.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StageOptions } from '../demo/stage.ts'
import { type CommandCall, createUsageFailure } from './call.ts'
import { CliFailure } from './failure.ts'
import { parseSqlitePath } from './open.ts'

export function chooseScenarioPlace({
  options,
  place,
}: Pick<CommandCall, 'options' | 'place'>): Pick<StageOptions, 'store' | 'stateDirectory'> {
  const state = place.state === undefined ? {} : { stateDirectory: place.state }
  if (options.text('store') === undefined && options.text('storeFile') === undefined) return state
  const path = parseSqlitePath(place.store)
  if (path === undefined || path === '')
    throw createUsageFailure(
      `a scenario plays in a SQLite file, not in \`${place.store}\``,
      'name one: `--store sqlite:PATH`, or leave it out',
    )
  if (existsSync(path))
    throw new CliFailure({
      code: 'STORE_EXISTS',
      summary: `there is a store \`${path}\` already`,
      why: 'a scenario begins with an empty store: its agents and their flows stay in it for ever',
      fix: 'name a file that does not exist yet, or leave `--store` out',
    })
  mkdirSync(dirname(path), { recursive: true })
  return { store: place.store, ...state }
}
