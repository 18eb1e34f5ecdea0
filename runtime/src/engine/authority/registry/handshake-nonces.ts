/**
 * Handshakes that were here, for as long as their signatures count. They are kept in the store, so that a
 * captured one opens nothing in another process, nor after a restart.
 *
 * N1 a handshake counts once, also where it was refused: whoever repeats it hears nothing of the agent.
 * N2 an agent has room for so many; one more does not count.
 */
import { AUTHORITY, formatInstant, LIMITS, parseInstant } from 'rubicon-kernel'
import type { Write } from '../../../ports/store.ts'
import type { Deps } from '../../deps.ts'
import type { KeyProof } from './handshake.ts'

export type NonceUse = 'new' | 'known' | 'full'

/** Dropped with each new one: more than one, so that they cannot pile up. */
const CLEARED = 8

export async function useNonce(
  { store }: Pick<Deps, 'store'>,
  agent: string,
  { signed_at, nonce }: Pick<KeyProof, 'signed_at' | 'nonce'>,
): Promise<NonceUse> {
  const now = parseInstant((await store.readNow(AUTHORITY)).now) ?? 0
  const key = `${formatInstant(parseInstant(signed_at) ?? 0)} ${nonce}`
  if ((await store.readRecord('handshake_nonce', agent, key)) !== null) return 'known'
  const limit = LIMITS.handshakesRemembered
  const after = formatInstant(now - LIMITS.handshakeMs)
  const counting = await store.listRecords('handshake_nonce', agent, { after, limit })
  if (counting.length >= limit) return 'full'
  const put: Write = { kind: 'put_record', record: 'handshake_nonce', group: agent, key, body: {} }
  const outcome = await store.commit({
    guards: [
      { kind: 'record_version', record: 'handshake_nonce', group: agent, key, version: null },
    ],
    writes: [...(await listExpiredNonces({ store }, agent, now)), put],
  })
  return outcome.ok ? 'new' : 'known'
}

/** Twice as old as what still counts: a clock that is set back a little revives none. */
async function listExpiredNonces(
  { store }: Pick<Deps, 'store'>,
  group: string,
  now: number,
): Promise<readonly Write[]> {
  const until = formatInstant(now - 2 * LIMITS.handshakeMs)
  const old = await store.listRecords('handshake_nonce', group, { until, limit: CLEARED })
  return old.map(({ key }) => ({ kind: 'drop_record', record: 'handshake_nonce', group, key }))
}
