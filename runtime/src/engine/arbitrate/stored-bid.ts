/** Bids as records: what was proposed about an event and waits for its turn, with all that is needed to judge it again. */
import type { Bid, PolicyProposal } from 'rubicon-kernel'
import type { BidRecord } from '../../ports/event-record.ts'
import type { StoredRecord } from '../../ports/record.ts'
import type { Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { type Received, receiveProposal } from '../judge/receive.ts'

export type StoredBid = StoredRecord<'bid'>

export function toBid({ key, body }: Pick<StoredBid, 'key' | 'body'>): Bid {
  const { agent_id, priority, role, policy_kind, resources, at } = body
  return { dfid: key, agent_id, priority, role, policy_kind, resources, at }
}

/** Whoever takes a bid out is the only one who does. */
export function buildTakenBid({ group, key, version }: StoredBid): Unit {
  const row = { record: 'bid', group, key } as const
  return {
    guards: [{ kind: 'record_version', ...row, version }],
    writes: [{ kind: 'drop_record', ...row }],
  }
}

export function buildBidRecord(
  { received, document, filled, session, proposal }: Received,
  ranked: Pick<BidRecord, 'agent_id' | 'priority' | 'role' | 'resources' | 'at'>,
): BidRecord {
  return {
    ...ranked,
    policy_kind: proposal.policy_kind,
    document: document.value,
    received,
    ...(filled === undefined ? {} : { filled }),
    key_id: session?.key_id ?? null,
    is_session: session !== undefined && session !== null,
  }
}

/** As it came. Its session may be over by now, as with whatever waits; its key counts. Null: it cannot be read any more. */
export function receiveBid(
  { sha256 }: Pick<Context, 'sha256'>,
  { body }: StoredBid,
): Received | null {
  const { document, received, filled, agent_id, key_id, is_session } = body
  if (typeof document !== 'object' || document === null) return null
  const read = receiveProposal(document, sha256)
  if (!read.ok) return null
  return {
    ...read.value,
    received,
    ...(filled === undefined ? {} : { filled }),
    ...(is_session ? { session: { agent_id, key_id, guards: [] } } : {}),
  }
}

/** What its rows are found by. */
export function pickStep({ proposal }: Received): Pick<PolicyProposal, 'step_id' | 'writ_id'> {
  const { step_id, writ_id } = proposal
  return writ_id === undefined ? { step_id } : { step_id, writ_id }
}
