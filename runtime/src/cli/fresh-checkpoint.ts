/**
 * Exports cover what the last checkpoint covers. Where the keys are here and nobody else holds the
 * store, a checkpoint is made first; an auditor without keys exports what there is.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stateDirectory } from '../compose.ts'
import { StoreError } from '../ports/store.ts'
import type { Call } from './call.ts'
import { operating, reading } from './open.ts'
import { SYMBOLS } from './output.ts'

export async function freshCheckpoint(call: Call): Promise<void> {
  const { place, out } = call
  const uncovered = await reading(
    place,
    async (store) => (await store.leafCount()) - ((await store.checkpoint())?.size ?? 0),
  )
  if (uncovered === 0) return
  const keys = join(place.state ?? stateDirectory(), 'keys', 'checkpoint.pem')
  try {
    if (existsSync(keys)) return void (await operating(call, (engine) => engine.checkpoint()))
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'STORE_LOCKED') throw error
  }
  out.note(
    `${SYMBOLS.waiting} ${uncovered} entries came after the last checkpoint and are left out`,
  )
}
