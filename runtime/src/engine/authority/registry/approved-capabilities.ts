/**
 * Capabilities that an operator approved one by one, each by its hash, before any process holds them.
 *
 * P1 rules that differ from those in force by nothing but such capabilities need no other yes: the yes was given to exactly
 *    what is held. Any other difference, also a capability that goes by the same name, asks as ever.
 * P2 an approval counts once: what is recorded takes the approvals of its kinds along, so that what somebody replaced later on
 *    purpose does not come back by itself.
 * P3 on a store that is shared nobody's approval counts: the rules of the other processes would end with it.
 */
import { type HeldRules, isReserved, type RecordedRules } from 'rubicon-kernel'
import type { Store, Write } from '../../../ports/store.ts'
import type { Registrar } from './append-authority.ts'

const GROUP = 'capabilities'

export type CapabilityApproval = {
  readonly kind: string
  readonly capability_hash: string
  /** Whose yes it is, for whoever reads the record. */
  readonly by: string
}

export async function approveCapabilities(
  { store }: Pick<Registrar, 'store'>,
  approvals: readonly CapabilityApproval[],
): Promise<boolean> {
  const writes = approvals.map(({ kind, capability_hash, by }): Write => {
    const body = { capability_hash, by }
    return { kind: 'put_record', record: 'approved_capability', group: GROUP, key: kind, body }
  })
  return writes.length === 0 || (await store.commit({ guards: [], writes })).ok
}

/** Whether everything that is held and not in force was approved, and nothing else differs. */
export async function isApprovedAlone(
  store: Pick<Store, 'readRecord' | 'shared'>,
  recorded: RecordedRules,
  held: HeldRules,
): Promise<boolean> {
  if (store.shared || held.hash !== recorded.law.hash) return false
  for (const { kind, hash } of held.capabilities) {
    if (isReserved(kind) || recorded.hashes.get(kind)?.hash === hash) continue
    const approval = await store.readRecord('approved_capability', GROUP, kind)
    if (approval?.body.capability_hash !== hash) return false
  }
  return true
}

/** For the unit that records capabilities of these kinds. */
export function buildUsedApprovals(kinds: readonly string[]): readonly Write[] {
  return kinds.map((key): Write => {
    return { kind: 'drop_record', record: 'approved_capability', group: GROUP, key }
  })
}
