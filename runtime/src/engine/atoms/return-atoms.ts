/**
 * Atoms that nobody used: what was reserved for them goes back once they have expired. What is due is found in the
 * store, so that any engine finds it, and record and counters are written by one unit.
 */
import {
  ATOM_LASTS_MS,
  findPinnedContract,
  formatInstant,
  LIMITS,
  MAIN,
  parseInstant,
} from 'rubicon-kernel'
import type { RecordBodies, StoredRecord } from '../../ports/record.ts'
import type { Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildAtomGuard, endAtom, releaseAtom } from '../rows/atom-row.ts'
import { moveFlow } from '../rows/flow-row.ts'

/** So long it is known of an atom that it was used or has expired; later it is as unknown as one that never was. */
const KEPT_MS = 60 * ATOM_LASTS_MS

type Due = RecordBodies['atom_due']

export function toDueKey(at: string, { dfid, atom_id }: Due): string {
  return `${at} ${dfid} ${atom_id}`
}

/** Returns how many gave something back. */
export async function returnAtoms(context: Context): Promise<number> {
  const { store } = context
  const { now } = await store.readNow(MAIN)
  let returned = 0
  for (let after: string | undefined; ; ) {
    const range = { until: now, limit: LIMITS.listed, ...(after === undefined ? {} : { after }) }
    const page = await store.listRecords('atom_due', 'due', range)
    for (const due of page) if (await returnAtom(context, due, now)) returned += 1
    after = page.at(-1)?.key
    if (page.length < LIMITS.listed) return returned
  }
}

/** One whose flow moves meanwhile is found again in the next round. */
async function returnAtom(
  context: Context,
  { key, body: due }: StoredRecord<'atom_due'>,
  now: string,
): Promise<boolean> {
  const { store } = context
  const gone: Write = { kind: 'drop_record', record: 'atom_due', group: 'due', key }
  const record = await store.readRecord('atom', due.dfid, due.atom_id)
  const flow = await store.readFlow(due.dfid)
  if (record === null || flow === null) {
    await store.commit({ guards: [], writes: [gone] })
    return false
  }
  const { atom, ended } = record.body
  const guard = buildAtomGuard(record)
  const forgottenAt = formatInstant((parseInstant(atom.expires_at) ?? 0) + KEPT_MS)
  if (now >= forgottenAt && ended !== null) {
    const drop: Write = { kind: 'drop_record', record: 'atom', group: due.dfid, key: due.atom_id }
    await store.commit({ guards: [guard], writes: [gone, drop] })
    return false
  }
  const next = toDueKey(forgottenAt, due)
  const again: Write = {
    kind: 'put_record',
    record: 'atom_due',
    group: 'due',
    key: next,
    body: due,
  }
  if (ended !== null) {
    await store.commit({ guards: [guard], writes: [gone, again] })
    return false
  }
  const authority = await context.authorities.loadAtLeast(flow.contract_seq)
  const contract = findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract
  const [own] = flow.writs
  const outcome = await store.commit({
    guards: [guard, { kind: 'flow_version', dfid: flow.dfid, version: flow.version }],
    writes: [
      // Whoever reads what is left of the flow while it ends must not give the same back once more.
      { kind: 'put_flow', flow: moveFlow(flow, [], flow.updated_at) },
      ...releaseAtom(own?.nonce ?? flow.dfid, atom, contract),
      endAtom(atom, 'returned'),
      gone,
      again,
    ],
  })
  return outcome.ok
}
