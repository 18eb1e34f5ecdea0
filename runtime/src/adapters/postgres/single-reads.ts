/** The texts of reads that the store makes by itself, each of one moment. */
import { AUTHORITY } from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { computeAuthorityTime } from '../unit/unit-time.ts'
import { COUNTER_COLUMNS, FLOW_COLUMNS, HEAD_COLUMNS, parseHead, RECORD_COLUMNS } from './rows.ts'
import type { ServerTime } from './server-time.ts'
import { awaitAll, type DatabaseSession, type NamedStatement } from './session.ts'

const NOW: NamedStatement = {
  name: 'now',
  text: `SELECT ${HEAD_COLUMNS} FROM trajectories
    WHERE tenant = $1 AND trajectory IN ('${AUTHORITY}', $2)`,
}
/** Authority time, and how far authority has come. */
export async function readNow(
  trajectory: string,
  tenant: string,
  session: DatabaseSession,
  time: ServerTime,
): ReturnType<Store['readNow']> {
  const [at, rows] = await awaitAll([time.ask(session), session.run(NOW, tenant, trajectory)])
  const heads = new Map(rows.map(parseHead).map((head) => [head.trajectory, head]))
  const now = computeAuthorityTime(at, (name) => heads.get(name), [trajectory])
  return { now, authority_seq: heads.get(AUTHORITY)?.seq ?? -1 }
}

export const FLOW: NamedStatement = {
  name: 'flow',
  text: `SELECT ${FLOW_COLUMNS} FROM flows WHERE tenant = $1 AND dfid = $2`,
}
export const COUNTER: NamedStatement = {
  name: 'counter',
  text: `SELECT ${COUNTER_COLUMNS} FROM counters WHERE tenant = $1 AND id = $2`,
}
export const RECORD: NamedStatement = {
  name: 'record',
  text: `SELECT ${RECORD_COLUMNS} FROM records
    WHERE tenant = $1 AND record = $2 AND grp = $3 AND key = $4`,
}
export const WRIT: NamedStatement = {
  name: 'writ',
  text: 'SELECT trajectory, seq, writ FROM writs WHERE tenant = $1 AND id = $2',
}
export const WRITS: NamedStatement = {
  name: 'writs',
  text: 'SELECT trajectory, seq, writ FROM writs WHERE tenant = $1 ORDER BY row DESC LIMIT $2',
}
export const OLDER_WRITS: NamedStatement = {
  name: 'older_writs',
  text: `SELECT trajectory, seq, writ FROM writs
    WHERE tenant = $1 AND row < (SELECT row FROM writs WHERE tenant = $1 AND id = $3)
    ORDER BY row DESC LIMIT $2`,
}
export const LEAF_COUNT: NamedStatement = {
  name: 'leaves_count',
  text: 'SELECT max(leaf) + 1 AS leaves FROM leaves WHERE tenant = $1',
}
export const CHECKPOINT: NamedStatement = {
  name: 'checkpoint',
  text: `SELECT epoch, size, note FROM checkpoints
    WHERE tenant = $1 ORDER BY epoch DESC, size DESC LIMIT 1`,
}
