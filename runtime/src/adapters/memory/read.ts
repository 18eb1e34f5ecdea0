import type { Resource, WorldFact } from 'rubicon-kernel'
import {
  encodeHex,
  hashResourceKey,
  isIdentifier,
  type Sha256,
  toResourceName,
} from 'rubicon-kernel'
import type { RecordKind, RecordRange, StoredRecord } from '../../ports/record.ts'
import type {
  ExecutionFilter,
  ExecutionRow,
  ExpiredFilter,
  FlowFilter,
  FlowRow,
  FlowSummary,
  StoredCheckpoint,
  Tallied,
} from '../../ports/store.ts'
import { compareBytes } from './compare-bytes.ts'
import { groupName, type Tables } from './tables.ts'

/** Newest first: a dfid starts with its time. */
export function listFlows(tables: Tables, filter: FlowFilter): FlowRow[] {
  const { state, agent_id, parent_dfid, tag, before, from, limit } = filter
  const found: FlowRow[] = []
  for (const flow of tables.flows.values()) {
    if (state !== undefined && !state.includes(flow.state)) continue
    if (agent_id !== undefined && flow.agent_id !== agent_id) continue
    if (parent_dfid !== undefined && flow.parent_dfid !== parent_dfid) continue
    if (tag !== undefined && !flow.tags.includes(tag)) continue
    if (before !== undefined && flow.dfid >= before) continue
    if (from !== undefined && flow.dfid < from) continue
    found.push(flow)
  }
  return found.sort((a, b) => (a.dfid < b.dfid ? 1 : -1)).slice(0, limit)
}

export function listExpired(
  tables: Tables,
  { until, beyond, limit }: ExpiredFilter,
): readonly FlowRow[] {
  const found = [...tables.flows.values()].filter(
    (flow) =>
      flow.state === 'ACTIVE' &&
      flow.expires_at <= until &&
      (beyond === undefined || compareExpiry(flow, beyond) > 0),
  )
  return found.sort(compareExpiry).slice(0, limit)
}

function compareExpiry(
  a: Pick<FlowRow, 'expires_at' | 'dfid'>,
  b: Pick<FlowRow, 'expires_at' | 'dfid'>,
): number {
  if (a.expires_at !== b.expires_at) return a.expires_at < b.expires_at ? -1 : 1
  return a.dfid < b.dfid ? -1 : Number(a.dfid > b.dfid)
}

export function toFlowSummary(flow: FlowRow): FlowSummary {
  const { dfid, agent_id, trigger, parent_dfid, root_dfid, trajectory, state, tags, steps } = flow
  const { rejections, attempts, opened_at, updated_at } = flow
  return {
    dfid,
    agent_id,
    trigger,
    parent_dfid,
    root_dfid,
    trajectory,
    state,
    tags,
    steps,
    rejections,
    attempts,
    opened_at,
    updated_at,
  }
}

export function listExecutions(tables: Tables, filter: ExecutionFilter): ExecutionRow[] {
  const { status, dfid, agent_id, newest = false, beyond, limit } = filter
  const ahead = newest ? -1 : 1
  const found: ExecutionRow[] = []
  for (const steps of tables.executions.values()) {
    for (const row of steps.values()) {
      if (dfid !== undefined && row.dfid !== dfid) continue
      if (agent_id !== undefined && tables.flows.get(row.dfid)?.agent_id !== agent_id) continue
      if (beyond !== undefined && compareSteps(row, beyond) * ahead <= 0) continue
      if (status === undefined || status.includes(row.status)) found.push(row)
    }
  }
  return found.sort((a, b) => compareSteps(a, b) * ahead).slice(0, limit)
}

type Step = Pick<ExecutionRow, 'dfid' | 'step_id'>

function compareSteps(a: Step, b: Step): number {
  return compareBytes(a.dfid, b.dfid) || compareBytes(a.step_id, b.step_id)
}

export function listResources(
  tables: Tables,
  trajectory: string,
  refs: readonly { readonly kind: string; readonly id: string }[],
): WorldFact[] {
  const resources = tables.worlds.get(trajectory)?.resources
  return refs.flatMap(({ kind, id }) => {
    const found = isIdentifier(kind) ? resources?.get(toResourceName(kind, id)) : undefined
    return found === undefined ? [] : [toWorldFact(found)]
  })
}

export function listWorldPage(
  tables: Tables,
  trajectory: string,
  after: string | null,
  limit: number,
  sha256: Sha256,
): WorldFact[] {
  const keyed: { readonly key: string; readonly resource: Resource }[] = []
  for (const resource of tables.worlds.get(trajectory)?.resources.values() ?? []) {
    const key = encodeHex(hashResourceKey(resource.kind, resource.id, sha256))
    if (after === null || key > after) keyed.push({ key, resource })
  }
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  return keyed.slice(0, limit).map(({ resource }) => toWorldFact(resource))
}

export function listRecords<K extends RecordKind>(
  tables: Tables,
  record: K,
  group: string,
  { after, until, newest = false, limit }: RecordRange,
): StoredRecord<K>[] {
  const all = [...(tables.records.get(groupName({ record, group }))?.values() ?? [])]
  const found = all.filter(({ key }) => {
    const isAfter = after === undefined || compareBytes(key, after) > 0
    return isAfter && (until === undefined || compareBytes(key, until) <= 0)
  })
  found.sort((a, b) => (newest ? compareBytes(b.key, a.key) : compareBytes(a.key, b.key)))
  return found.slice(0, limit).map(parseRecord<K>)
}

export function countRows(tables: Tables, what: Tallied): number {
  const limit = Number.MAX_SAFE_INTEGER
  if (what.of === 'flows') return listFlows(tables, { state: what.state, limit }).length
  if (what.of === 'executions') return listExecutions(tables, { status: what.status, limit }).length
  const { record, group } = what
  const isMeant = (name: string): boolean => {
    return group === undefined
      ? name.startsWith(groupName({ record, group: '' }))
      : name === groupName({ record, group })
  }
  let found = 0
  for (const [name, records] of tables.records) if (isMeant(name)) found += records.size
  return found
}

/** A group holds records of one kind only. */
export function parseRecord<K extends RecordKind>(row: StoredRecord<RecordKind>): StoredRecord<K> {
  return row as StoredRecord<K>
}

/** The newest: the highest log epoch, and in it the largest tree. */
export function findLatestCheckpoint(tables: Tables): StoredCheckpoint | null {
  const order = (a: StoredCheckpoint, b: StoredCheckpoint) => b.epoch - a.epoch || b.size - a.size
  return tables.checkpoints.toSorted(order)[0] ?? null
}

function toWorldFact({ kind, id, version, value, retracted }: Resource): WorldFact {
  return { kind, id, version, value, retracted }
}
