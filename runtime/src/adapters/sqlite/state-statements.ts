/** What units are judged against, as it is asked for. */
export const LAST_LEAF = 'SELECT max(leaf) + 1 AS leaves FROM entries WHERE tenant = ?'
export const FLOW_ENTRIES = `SELECT count(*) AS entries FROM entries
  WHERE dfid = ? AND tenant = ? AND trajectory = ?`
export const HEAD = `SELECT trajectory, seq, id, at, world_root
  FROM trajectories WHERE tenant = ? AND trajectory = ?`
export const RESOURCE = 'SELECT * FROM resources WHERE tenant = ? AND trajectory = ? AND key = ?'
export const RESOURCES = 'SELECT * FROM resources WHERE tenant = ? AND trajectory = ? ORDER BY key'
export const LOCKS = "SELECT * FROM records WHERE tenant = ? AND record = 'lock'"
export const PAGE =
  'SELECT page FROM world_nodes WHERE tenant = ? AND trajectory = ? AND prefix = ?'
export const ENTRY = 'SELECT * FROM entries WHERE tenant = ? AND trajectory = ? AND seq = ?'
export const COMMITS = `SELECT * FROM entries
  WHERE tenant = ? AND trajectory = ? AND seq <= ? AND kind = 'commit' ORDER BY seq`
export const LATER_COMMIT = `SELECT 1 FROM entries
  WHERE tenant = ? AND trajectory = ? AND seq > ? AND kind = 'commit' LIMIT 1`
