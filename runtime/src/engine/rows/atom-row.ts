/**
 * Decision atoms as they are kept: each with its flow, and once more in the order in which something is due. What an
 * atom holds is reserved until its record says that it ended; record and counters are written by one unit.
 */
import type { Budget, Contract, SignedAtom } from 'rubicon-kernel'
import type { AtomRecord } from '../../ports/atom-record.ts'
import type { StoredRecord } from '../../ports/record.ts'
import type { Guard, Unit, Write } from '../../ports/store.ts'
import { settleWindow } from './agent-window.ts'
import { listBudgetUnits } from './budget-counters.ts'

/** Ended, and by what: as the row of the atom says from then on. */
export function endAtom(atom: SignedAtom, ended: 'used' | 'returned'): Write {
  const body: AtomRecord = { atom, ended }
  return { kind: 'put_record', record: 'atom', group: atom.dfid, key: atom.atom_id, body }
}

export function buildAtomGuard({ body, version }: StoredRecord<'atom'>): Guard {
  const { dfid, atom_id } = body.atom
  return { kind: 'record_version', record: 'atom', group: dfid, key: atom_id, version }
}

/** Gives back all that it holds: of the flow's writ, whose nonce is the flow's name, and of the agent's window. */
export function releaseAtom(
  nonce: string,
  { reserved_cost, issued_at }: SignedAtom,
  contract: Contract | undefined,
): readonly Write[] {
  const counts = listBudgetUnits(nonce, reserved_cost).flatMap(([id, units]): Write[] =>
    units === 0 ? [] : [{ kind: 'count', id, by: -units }],
  )
  return [...counts, ...settleWindow(contract, issued_at, reserved_cost, NOTHING)]
}

const NOTHING: Budget = {}

/**
 * What is reserved for an intent in place of what its atom holds: of each counter the difference, so that what is left
 * is compared with what the intent takes besides, and what the atom held elsewhere goes back.
 */
export function replaceReservation(reserved: Unit, returned: readonly Write[]): Unit {
  const back = new Map(
    returned.flatMap((write) => (write.kind === 'count' ? [[write.id, write.by] as const] : [])),
  )
  const guards = reserved.guards.map((guard) =>
    guard.kind === 'counter' ? { ...guard, by: guard.by + (back.get(guard.id) ?? 0) } : guard,
  )
  const sums = new Map(back)
  for (const write of reserved.writes)
    if (write.kind === 'count') sums.set(write.id, (sums.get(write.id) ?? 0) + write.by)
  const writes = [...sums].flatMap(([id, by]): Write[] =>
    by === 0 ? [] : [{ kind: 'count', id, by }],
  )
  return { guards, writes }
}
