import { err, ok, type Result } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { RegistryUnavailable } from 'rubicon-runtime/engine/rows'
import { noCheckpoint } from 'rubicon-runtime/evidence'
import type { StoredCheckpoint } from 'rubicon-runtime/ports'
import { toProblemReply } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'

/**
 * One that covers what has come until now; where nobody here can sign, the last one. Of a damaged ledger nothing is
 * signed any more: whoever checks it holds it against what was.
 */
export async function obtainFreshCheckpoint(
  engine: Engine,
): Promise<Result<StoredCheckpoint, Reply>> {
  const { store, signer } = engine.context
  try {
    if (signer.publicKey('checkpoint') !== null) return ok(await engine.checkpoint())
  } catch (error) {
    if (!(error instanceof RegistryUnavailable) && !engine.status.damaged) throw error
  }
  const last = await store.readCheckpoint()
  return last === null ? err(toProblemReply(noCheckpoint)) : ok(last)
}
