/** Every row that somebody could change, and what can be changed of it. */
import type { StoreName } from '../../race/place.ts'
import type { Change, Target } from './changes.ts'

const ENTRY = [
  'payload',
  'packed',
  'kind',
  'at',
  'dfid',
  'id',
  'parent',
  'seq',
  'trajectory',
  'authority_seq',
  'payload_hash',
  'v',
]
const FLOW = [
  'version',
  'part',
  'agent_id',
  'trigger_event',
  'parent_dfid',
  'root_dfid',
  'trajectory',
  'state',
  'tags',
  'steps',
  'rejections',
  'transient_rejections',
  'attempts',
  'snapshot_id',
  'snapshot_at',
  'mission_hash',
  'contract_hash',
  'contract_seq',
  'writs',
  'opened_at',
  'expires_at',
  'updated_at',
  'history',
]
const EXECUTION = [
  'version',
  'trajectory',
  'status',
  'policy_kind',
  'params_fingerprint',
  'idempotency_key',
  'intent',
  'intent_seq',
  'dispatched_trajectory',
  'dispatched_seq',
  'dispatched_at',
  'last_sent_at',
  'sends',
  'probes',
  'epoch',
  'next_at',
  'reason_code',
  'details',
  'result',
  'receipt',
  'settled_at',
]

/** Small rows by what they hold. */
const RECORDS = [
  'session',
  'session_token',
  'observation',
  'agent_state',
  'timer',
  'lock',
  'escalation',
  'dirty_flow',
  'person_identity',
  'spawned_child',
  'instance',
  'spawned_instance',
  'memory',
  'note',
  'notice',
  'monitor_cursor',
  'monitor_samples',
]

const TARGETS: readonly Target[] = [
  { name: 'entries', table: 'entries', columns: ENTRY },
  {
    name: 'authority',
    table: 'entries',
    where: "trajectory = 'authority'",
    columns: ['payload', 'kind', 'at'],
  },
  { name: 'heads', table: 'tree_heads', columns: ['head'] },
  { name: 'notes', table: 'checkpoints', columns: ['note', 'size', 'epoch'] },
  { name: 'tiles', table: 'tiles', columns: ['hash', 'number'] },
  {
    name: 'trajectories',
    table: 'trajectories',
    columns: ['seq', 'id', 'at', 'world_root'],
  },
  {
    name: 'open flows',
    table: 'flows',
    where: "state NOT IN ('CLOSED', 'ABORTED')",
    columns: FLOW,
  },
  { name: 'ended flows', table: 'flows', where: "state IN ('CLOSED', 'ABORTED')", columns: FLOW },
  {
    name: 'executions of open flows',
    table: 'executions',
    where: "dfid IN (SELECT dfid FROM flows WHERE state NOT IN ('CLOSED', 'ABORTED'))",
    columns: EXECUTION,
  },
  {
    name: 'executions of ended flows',
    table: 'executions',
    where: "dfid IN (SELECT dfid FROM flows WHERE state IN ('CLOSED', 'ABORTED'))",
    columns: EXECUTION,
  },
  {
    name: 'counters of open flows',
    table: 'counters',
    where: `substr(id, 37, 1) = ':' AND substr(id, 1, 36) IN
      (SELECT dfid FROM flows WHERE state NOT IN ('CLOSED', 'ABORTED'))`,
    columns: ['used', 'id'],
  },
  {
    name: 'other counters',
    table: 'counters',
    where: `NOT (substr(id, 37, 1) = ':' AND substr(id, 1, 36) IN
      (SELECT dfid FROM flows WHERE state NOT IN ('CLOSED', 'ABORTED')))`,
    columns: ['used', 'id', 'code'],
  },
  { name: 'world', table: 'resources', columns: ['value', 'version', 'retracted', 'last_entry'] },
  { name: 'world pages', table: 'world_nodes', columns: ['page'] },
  ...RECORDS.map((record) => ({
    name: `records: ${record}`,
    table: 'records',
    where: `record = '${record}'`,
    columns: ['body', 'version', 'key', 'grp', 'code'],
  })),
]

/** Several rows at once. */
const TOGETHER: readonly Change[] = [
  { target: { name: 'flows with their entries', table: 'flows', columns: [] }, how: 'hide flow' },
  {
    target: { name: 'ends of authority', table: 'trajectories', columns: [] },
    how: 'hide authority',
  },
  { target: { name: 'ends of flows', table: 'flows', columns: [] }, how: 'end flow' },
  { target: { name: 'ends of flows', table: 'flows', columns: [] }, how: 'reopen flow' },
  { target: { name: 'archives', table: 'flows', columns: [] }, how: 'invent archive' },
]
const ONLY_SQLITE: Change = {
  target: { name: 'triggers', table: 'executions', columns: [] },
  how: 'act',
}

/** Where places are given later. */
const ONLY_POSTGRES: readonly Target[] = [
  { name: 'places', table: 'leaves', columns: ['leaf', 'row'] },
  { name: 'ends of places', table: 'placed', columns: ['seq'] },
]

/** There the lists of flows have an index of their own in place of it. */
const NOT_IN_POSTGRES: readonly string[] = ['part']

function listTargets(store: StoreName): readonly Target[] {
  if (store !== 'postgres') return TARGETS
  const there = TARGETS.map((target) => ({
    ...target,
    columns: target.columns.filter((column) => !NOT_IN_POSTGRES.includes(column)),
  }))
  return [...there, ...ONLY_POSTGRES]
}

export function listChangedTables(store: StoreName): readonly string[] {
  return [...new Set(listTargets(store).map(({ table }) => table))]
}

/** Each once, in an order in which every part of the store comes early. */
export function listAllChanges(store: StoreName): readonly Change[] {
  const lists = listTargets(store).map((target): Change[] => [
    { target, how: 'delete' },
    { target, how: 'older' },
    ...target.columns.flatMap((column): Change[] => [
      { target, how: 'nudge', column },
      { target, how: 'swap', column },
    ]),
    { target, how: 'insert' },
    ...(target.name === 'entries'
      ? ([
          { target, how: 'rewrite' },
          { target, how: 'append' },
        ] as const)
      : []),
  ])
  lists.push([...TOGETHER, ...(store === 'sqlite' ? [ONLY_SQLITE] : [])])
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) =>
    lists.flatMap((list) => list.slice(i, i + 1)),
  ).flat()
}
