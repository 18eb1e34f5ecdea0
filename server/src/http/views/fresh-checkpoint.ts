import { err, ok, type Result } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { RegistryUnavailable } from 'rubicon-runtime/engine/rows'
import { noCheckpoint } from 'rubicon-runtime/evidence'
import type { StoredCheckpoint } from 'rubicon-runtime/ports'
import { toProblemReply } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'

/** One that covers what has come until now; where nobody here can sign, the last one. */
export async function obtainFreshCheckpoint(
  engine: Engine,
): Promise<Result<StoredCheckpoint, Reply>> {
  const { signer } = engine.context
  try {
    if (signer.publicKey('checkpoint') !== null) return ok(await engine.checkpoint())
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error
  }
  return readLastCheckpoint(engine)
}

/** The same for whoever checks the whole ledger: a damaged one is held against the last, for nothing is signed on it any more. */
export async function obtainCheckpointToCheck(
  engine: Engine,
): Promise<Result<StoredCheckpoint, Reply>> {
  try {
    return await obtainFreshCheckpoint(engine)
  } catch (error) {
    if (!engine.status.damaged) throw error
    return readLastCheckpoint(engine)
  }
}

async function readLastCheckpoint({ context }: Engine): Promise<Result<StoredCheckpoint, Reply>> {
  const last = await context.store.readCheckpoint()
  return last === null ? err(toProblemReply(noCheckpoint)) : ok(last)
}
