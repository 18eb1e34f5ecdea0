/**
 * Requests of agents that were signed ahead of our time, in the store for as long as their signatures count.
 * What a process remembers ends with it, and what was signed before it started does not count any more;
 * a time that was still to come when it counted is not before the start of the next.
 *
 * A1 a request that counted before its time counts once, in all processes on the store and after a restart.
 * A2 the time is the earlier one of process and store, so that a clock that runs ahead hides nothing.
 *
 * Boundary: how many there may be of one agent is counted by `Nonces`, for each process.
 */
import { formatInstant, LIMITS } from 'rubicon-kernel'
import type { Context } from 'rubicon-runtime/engine'
import type { Store, Write } from 'rubicon-runtime/ports'
import type { AgentProof } from './agent-proof.ts'

type Seen = Pick<AgentProof, 'created' | 'nonce'>

/** Dropped with each new one: more than one, so that they cannot pile up. */
const CLEARED = 8

/** False: it counted before. Every request is looked for, since it may have been ahead where it counted. */
export async function isFirstUse(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  group: string,
  { created, nonce }: Seen,
): Promise<boolean> {
  const at = created * 1000
  const key = `${formatInstant(at)} ${nonce}`
  if ((await store.readRecord('request_nonce', group, key)) !== null) return false
  const now = Math.min(clock.now(), store.time.getNow())
  if (at <= now) return true
  const outcome = await store.commit({
    guards: [{ kind: 'record_version', record: 'request_nonce', group, key, version: null }],
    writes: [
      ...(await collectExpiredDrops(store, group, now)),
      { kind: 'put_record', record: 'request_nonce', group, key, body: {} },
    ],
  })
  return outcome.ok
}

/** Twice as old as what still counts: a clock that is set back a little revives none. */
async function collectExpiredDrops(
  store: Pick<Store, 'listRecords'>,
  group: string,
  now: number,
): Promise<readonly Write[]> {
  const until = formatInstant(now - 2 * LIMITS.proofMs)
  const old = await store.listRecords('request_nonce', group, { until, limit: CLEARED })
  return old.map(({ key }) => ({ kind: 'drop_record', record: 'request_nonce', group, key }))
}
