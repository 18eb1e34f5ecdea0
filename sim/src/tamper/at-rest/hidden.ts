/** Changes of several rows that agree with one another: what was written is not found, and nothing is missed. */
import type { Rng } from '../../rng.ts'
import type { Earlier } from './changes.ts'
import { formatWhere, type Holder, putRow, type Row } from './holder.ts'

/** The rows of a flow as they were in the middle of the day; what was written since then is of no flow. */
export async function hideFlow(holder: Holder, earlier: Earlier, rng: Rng): Promise<string | null> {
  const now = new Map((await holder.rows('SELECT * FROM flows')).map((row) => [row.dfid, row]))
  const moved = (earlier.get('flows') ?? []).filter(
    ({ dfid, state, steps, attempts }) =>
      state === 'ACTIVE' && steps === 'many' && now.get(dfid ?? null)?.attempts !== attempts,
  )
  if (moved.length === 0) return null
  const flow = rng.pick(moved)
  const dfid = holder.literal(flow.dfid ?? null)
  const since = (earlier.get('entries') ?? []).map(({ id }) => holder.literal(id ?? null))
  await holder.run(`UPDATE entries SET dfid = NULL WHERE dfid = ${dfid} AND id NOT IN (${since})`)
  const rows: readonly (readonly [string, string])[] = [
    ['flows', `dfid = ${dfid}`],
    ['executions', `dfid = ${dfid}`],
    ['counters', `substr(id, 1, 36) = ${dfid}`],
    ['records', `record IN ('lock', 'note') AND body LIKE '%${flow.dfid}%'`],
  ]
  for (const [table, where] of rows) {
    await holder.run(`DELETE FROM ${table} WHERE ${where}`)
    for (const { row: _, ...old } of earlier.get(table) ?? [])
      if (isOfFlow(table, old, String(flow.dfid))) await putRow(table, old, holder)
  }
  return `flow ${flow.dfid} as it was earlier, and nothing of what was written since`
}

function isOfFlow(table: string, row: Row, dfid: string): boolean {
  if (table === 'counters') return String(row.id).startsWith(dfid)
  if (table !== 'records') return row.dfid === dfid
  return ['lock', 'note'].includes(String(row.record)) && String(row.body).includes(dfid)
}

/** A row alone says that a flow is over. */
export async function endFlow(holder: Holder, rng: Rng): Promise<string | null> {
  const sql = "SELECT * FROM flows WHERE state = 'ACTIVE' AND steps = 'many'"
  const open = await holder.rows(sql)
  if (open.length === 0) return null
  const flow = rng.pick(open)
  await holder.run(`UPDATE flows SET state = 'CLOSED'${formatPart(flow, 'closed')}
    WHERE ${formatWhere('flows', flow, holder)}`)
  return `flow ${flow.dfid} is closed, and its agent did not`
}

/** Which list it is in: SQLite has a column for it. */
function formatPart(flow: Row, part: string): string {
  return 'part' in flow ? `, part = '${part}'` : ''
}

/** A row alone says that a flow goes on which its agent has closed. */
export async function reopenFlow(holder: Holder, rng: Rng): Promise<string | null> {
  const closed = await holder.rows(`SELECT * FROM flows WHERE dfid IN
    (SELECT dfid FROM ledger WHERE kind = 'evidence' AND payload LIKE '%"finding":"closed"%')`)
  if (closed.length === 0) return null
  const flow = rng.pick(closed)
  await holder.run(`UPDATE flows SET state = 'ACTIVE'${formatPart(flow, 'running')}, updated_at = opened_at
    WHERE ${formatWhere('flows', flow, holder)}`)
  return `flow ${flow.dfid} goes on, and its agent has closed it`
}

/** What a flow said is taken out, and a note says that it lies in an archive. Nobody signed it. */
export async function addInventedArchive(holder: Holder, rng: Rng): Promise<string | null> {
  const ended = await holder.rows("SELECT * FROM flows WHERE state IN ('CLOSED', 'ABORTED')")
  if (ended.length === 0) return null
  const flow = rng.pick(ended)
  const dfid = String(flow.dfid)
  const body = {
    archive: `sha256:${'0'.repeat(64)}`,
    archived_at: String(flow.updated_at),
    dfid,
    file: 'old.ndjson',
    leaves: Array.from({ length: 4_096 }, (_, leaf) => leaf),
    tenant: 'default',
  }
  const note = { body, signature: { key_id: 'operator-0', sig: '' } }
  await holder.run(`UPDATE entries SET payload = NULL, packed = NULL WHERE dfid = '${dfid}'
    AND trajectory NOT IN ('authority', 'erasure') AND kind <> 'commit'`)
  await holder.run(`UPDATE flows SET tags = '["ARCHIVED"]' WHERE dfid = '${dfid}'`)
  const text = holder.literal(JSON.stringify(note))
  await holder.run(`INSERT INTO records (tenant, record, grp, key, version, body, code)
    VALUES ('default', 'archive', 'flows', '${dfid}', 1, ${text}, NULL)`)
  return `flow ${dfid} is said to lie in an archive`
}

/** The last word of authority is one of another trajectory. */
export async function hideAuthority(holder: Holder): Promise<string | null> {
  const [last, before] = await holder.rows(
    "SELECT * FROM entries WHERE trajectory = 'authority' ORDER BY seq DESC LIMIT 2",
  )
  if (last === undefined || before === undefined) return null
  const tables = Object.keys(last).includes('leaf') ? ['trajectories'] : ['trajectories', 'placed']
  await holder.run(
    `UPDATE entries SET trajectory = 'x' WHERE ${formatWhere('entries', last, holder)}`,
  )
  for (const table of tables)
    await holder.run(`UPDATE ${table} SET seq = ${before.seq} WHERE trajectory = 'authority'`)
  await holder.run(`UPDATE trajectories SET id = ${holder.literal(before.id ?? null)},
    at = ${holder.literal(before.at ?? null)} WHERE trajectory = 'authority'`)
  return `authority ends before its entry ${last.seq}`
}

/** The file itself takes back what is written. */
export async function leaveTrigger(holder: Holder): Promise<string | null> {
  await holder.run(`CREATE TRIGGER forget AFTER INSERT ON executions
    BEGIN DELETE FROM executions WHERE dfid = NEW.dfid AND step_id = NEW.step_id; END`)
  return 'a trigger forgets claims'
}
