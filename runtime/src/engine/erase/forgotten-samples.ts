/**
 * What monitors keep of the executions of a flow: when, of which kind and how they ended stays. Whoever sweeps at this moment, and
 * every engine that remembers windows, begins over: what they have read is told by the version of the cursor.
 */
import { findAgentClass, type Sample } from 'rubicon-kernel'
import type { FlowRow, Guard, Store, Unit, Write } from '../../ports/store.ts'
import type { Registrar } from '../authority/registry/append-authority.ts'
import { CURSOR } from '../monitors/monitor-cursor.ts'
import { packSampleBlock, toSampleBlockKey, unpack } from '../monitors/sample-block.ts'
import { toStreamName } from '../monitors/streams.ts'

export async function buildForgottenSamplesUnit(
  { store, authorities }: Pick<Registrar, 'store' | 'authorities'>,
  { dfid, agent_id }: FlowRow,
  leaves: ReadonlySet<number>,
): Promise<Unit> {
  const authority = await authorities.loadAtLeast(0)
  const agents = [agent_id, findAgentClass(authority, agent_id) ?? agent_id]
  const findings = await store.listRecords('finding', dfid, { limit: 1_000 })
  const auditors = [null, ...findings.map(({ body }) => body.auditor)]
  const streams = new Set(
    agents.flatMap((agent) => auditors.map((one) => toStreamName(agent, one))),
  )
  const units: Unit[] = [await buildTouchedCursorUnit(store)]
  for (const stream of streams) units.push(await buildGroupSamplesUnit(store, stream, leaves))
  return {
    guards: units.flatMap(({ guards }) => guards),
    writes: units.flatMap(({ writes }) => writes),
  }
}

/** Where nobody has swept yet, there is nothing to begin over. */
async function buildTouchedCursorUnit(store: Store): Promise<Unit> {
  const cursor = await store.readRecord('monitor_cursor', CURSOR.group, CURSOR.key)
  return {
    guards: [{ kind: 'record_version', ...CURSOR, version: cursor?.version ?? null }],
    writes: cursor === null ? [] : [{ kind: 'put_record', ...CURSOR, body: cursor.body }],
  }
}

async function buildGroupSamplesUnit(
  store: Store,
  group: string,
  leaves: ReadonlySet<number>,
): Promise<Unit> {
  const guards: Guard[] = []
  const writes: Write[] = []
  const keys = new Set<string>()
  for (const leaf of leaves) {
    const until = toSampleBlockKey(leaf)
    const [block] = await store.listRecords('monitor_samples', group, {
      until,
      newest: true,
      limit: 1,
    })
    if (block === undefined || keys.has(block.key)) continue
    keys.add(block.key)
    const samples = unpack(block.body)
    if (!samples.some((sample) => leaves.has(sample.leaf))) continue
    const place = { record: 'monitor_samples', group, key: block.key } as const
    const kept = samples.map((one): Sample => (leaves.has(one.leaf) ? { ...one, values: {} } : one))
    guards.push({ kind: 'record_version', ...place, version: block.version })
    writes.push({ kind: 'put_record', ...place, body: packSampleBlock(block.body.columns, kept) })
  }
  return { guards, writes }
}
