/** The texts of reads that the store makes by itself, each of one moment. */
import { FLOW_COLUMNS, RECORD_COLUMNS } from './rows.ts'
import type { NamedStatement } from './session.ts'

export const FLOW: NamedStatement = {
  name: 'flow',
  text: `SELECT ${FLOW_COLUMNS} FROM flows WHERE tenant = $1 AND dfid = $2`,
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
