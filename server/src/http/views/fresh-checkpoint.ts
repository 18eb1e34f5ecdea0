import { err, ok, type Result } from 'rubicon-kernel'
import type { Engine } from '../../engine/engine.ts'
import { RegistryUnavailable } from '../../engine/rows/registry-unavailable.ts'
import { noCheckpoint } from '../../evidence/export-ledger.ts'
import type { StoredCheckpoint } from '../../ports/store.ts'
import { toProblemReply } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'

/** One that covers what has come until now; where nobody here can sign, the last one. */
export async function obtainFreshCheckpoint(
  engine: Engine,
): Promise<Result<StoredCheckpoint, Reply>> {
  const { store, signer } = engine.context
  try {
    if (signer.publicKey('checkpoint') !== null) return ok(await engine.checkpoint())
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error
  }
  const last = await store.readCheckpoint()
  return last === null ? err(toProblemReply(noCheckpoint)) : ok(last)
}
