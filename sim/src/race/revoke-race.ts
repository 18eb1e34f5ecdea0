/**
 * A revocation races executions. None may be dispatched after it in the tree, and under full load it
 * must not have to wait for its turn.
 */
import { createRuntime, type Runtime } from '../../../runtime/src/compose.ts'
import type { LeafEntry } from '../../../runtime/src/ports/store.ts'
import { AGENT, buildRacerCapabilities, CONTRACT } from './law.ts'
import { makePlace, type StoreName } from './place.ts'

export type RevokeRaceReport = {
  readonly store: StoreName
  readonly rounds: number
  readonly executions: number
  readonly dispatched: number
  /** Dispatches that stand behind the revocation in the tree. */
  readonly dispatched_after: number
  /** The slowest revocation, with executions going on. */
  readonly revoke_ms: number
}

const LANES = 64
const PAGE = 1_000

export async function runRevokeRaceProof(options: {
  readonly store: StoreName
  readonly rounds?: number
  /** How many executions each lane has behind it when the revocation comes. */
  readonly before?: number
  readonly progress?: (done: number, of: number) => void
}): Promise<RevokeRaceReport> {
  const { store, rounds = 5, before = 3 } = options
  const place = await makePlace(store)
  const runtime = await createRuntime({
    store: place.address,
    stateDirectory: place.stateDirectory,
    capabilities: buildRacerCapabilities(() => ({ result: 'done' })),
  })
  try {
    let executions = 0
    let slowest = 0
    for (let round = 1; round <= rounds; round += 1) {
      const raced = await runRound(runtime, `1.${round}.0`, before)
      executions += raced.executions
      slowest = Math.max(slowest, raced.ms)
      options.progress?.(round, rounds)
    }
    await runtime.engine.checkpoint()
    return { store, rounds, executions, ...(await count(runtime)), revoke_ms: Math.round(slowest) }
  } finally {
    await runtime.close()
    await place.close()
  }
}

/** Lanes that never stop until they are refused, and in the middle of it the word that stops them. */
async function runRound(
  runtime: Runtime,
  version: string,
  before: number,
): Promise<{ readonly executions: number; readonly ms: number }> {
  await runtime.deploy({ ...CONTRACT, version })
  let executions = 0
  const warm = Promise.withResolvers<void>()
  const runLane = async (): Promise<void> => {
    for (;;) {
      const flow = await runtime.open({ agent: AGENT, trigger: 'race' }).catch(() => null)
      if (flow === null) return
      const answer = await flow.propose({ policy_kind: 'SPEND', params: {} })
      if (answer.outcome !== 'ACCEPTED') return
      executions += 1
      if (executions === LANES * before) warm.resolve()
    }
  }
  const lanes = Array.from({ length: LANES }, runLane)
  await warm.promise
  const started = performance.now()
  const revoked = await runtime.engine.revoke({ target: 'contract', id: AGENT, reason: 'a race' })
  const ms = performance.now() - started
  if (!revoked.ok) throw new Error(revoked.error.summary)
  await Promise.all(lanes)
  return { executions, ms }
}

/** By the tree alone: which versions were revoked when a dispatch on one of them was written. */
async function count(
  runtime: Runtime,
): Promise<Pick<RevokeRaceReport, 'dispatched' | 'dispatched_after'>> {
  const revoked = new Set<string>()
  const deployed: string[] = []
  let dispatched = 0
  let after = 0
  for (let from = 0; ; from += PAGE) {
    const leaves: readonly LeafEntry[] = await runtime.store.listLeaves(from, PAGE)
    for (const { envelope, payload } of leaves) {
      if (envelope.kind === 'contract') deployed.push(extractContractHash(payload))
      if (envelope.kind === 'revocation') for (const hash of deployed) revoked.add(hash)
      if (envelope.kind !== 'dispatch') continue
      dispatched += 1
      if (revoked.has(extractContractHash(payload))) after += 1
    }
    if (leaves.length < PAGE) return { dispatched, dispatched_after: after }
  }
}

function extractContractHash(payload: string | null): string {
  return /"contract_hash":"(sha256:[0-9a-f]{64})"/.exec(payload ?? '')?.[1] ?? ''
}
