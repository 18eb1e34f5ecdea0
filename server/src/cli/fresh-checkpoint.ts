/**
 * Exports cover what the last checkpoint covers. A server signs a new one by itself. Where none is asked, the keys
 * are here and nobody else holds the store, one is made first; an auditor without keys exports what there is.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { resolveStateDirectory } from 'rubicon-runtime/compose'
import { type Store, StoreError } from 'rubicon-runtime/ports'
import { type CommandCall, getServerOption, type StorePlace } from './call.ts'
import { executeWithEngine, readFromStore } from './open.ts'
import { SYMBOLS } from './output.ts'
import { findRunningServer } from './running-server.ts'

export async function ensureFreshCheckpoint(call: CommandCall): Promise<void> {
  const { place, out } = call
  if (getServerOption(call) !== undefined) return
  if ((await findRunningServer(place).catch(() => null)) !== null) return
  const uncovered = await readFromStore(place, countUncoveredEntries)
  if (uncovered === 0) return
  try {
    if (hasKeys(place)) return void (await executeWithEngine(call, (engine) => engine.checkpoint()))
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'STORE_LOCKED') throw error
  }
  out.note(`${SYMBOLS.waiting} ${uncovered} entries after the last checkpoint are left out`)
}

function hasKeys({ state, store, keyAgent, passphraseFile }: StorePlace): boolean {
  if (keyAgent !== undefined || passphraseFile !== undefined) return true
  return existsSync(join(state ?? resolveStateDirectory(store), 'keys', 'checkpoint.pem'))
}

/** Also those that have no place in the tree yet: trajectories know how long they are. */
async function countUncoveredEntries(store: Store): Promise<number> {
  const heads = await store.listHeads()
  const entries = heads.reduce((sum, { seq }) => sum + seq + 1, 0)
  return entries - ((await store.readCheckpoint())?.size ?? 0)
}
