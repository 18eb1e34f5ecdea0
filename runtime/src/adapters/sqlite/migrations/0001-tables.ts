import type { SchemaStep } from '../../unit/schema-steps.ts'

/**
 * The tables. Every key holds the tenant; where a key holds a dfid, the dfid leads: it starts with
 * its time, so rows arrive at the end of the tree however large it grows, and an auditor's query
 * finds a flow without naming the tenant. For the same reason no index holds a hash.
 *
 * `entries` is a table with a row number, not one clustered by its key: payloads are longer than
 * the quarter of a page that a clustered row may keep, and measured twice as slow.
 */
export const tables: SchemaStep = {
  number: 1,
  name: 'tables',
  sql: `
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('clean', 1), ('epoch', 0);

CREATE TABLE trajectories (
  tenant TEXT NOT NULL,
  trajectory TEXT NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  world_root TEXT NOT NULL,
  PRIMARY KEY (tenant, trajectory)
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
  row INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  leaf INTEGER NOT NULL,
  trajectory TEXT NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  parent TEXT,
  v INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at TEXT NOT NULL,
  dfid TEXT,
  authority_seq INTEGER,
  payload_hash TEXT NOT NULL,
  payload TEXT,
  UNIQUE (tenant, leaf),
  UNIQUE (tenant, trajectory, seq)
) STRICT;
CREATE INDEX entries_flow ON entries (dfid, tenant, leaf) WHERE dfid IS NOT NULL;
CREATE INDEX entries_authority ON entries (kind, tenant, seq) WHERE trajectory = 'authority';
CREATE INDEX entries_escalations ON entries (dfid, tenant, leaf) WHERE kind = 'pending_approval';

CREATE TRIGGER entries_are_kept BEFORE DELETE ON entries
BEGIN
  SELECT RAISE(ABORT, 'entries are never deleted');
END;
CREATE TRIGGER entries_are_frozen BEFORE UPDATE ON entries
WHEN NEW.payload IS NOT NULL OR NEW.row IS NOT OLD.row OR NEW.tenant IS NOT OLD.tenant
  OR NEW.leaf IS NOT OLD.leaf OR NEW.trajectory IS NOT OLD.trajectory OR NEW.seq IS NOT OLD.seq
  OR NEW.id IS NOT OLD.id OR NEW.parent IS NOT OLD.parent OR NEW.v IS NOT OLD.v
  OR NEW.kind IS NOT OLD.kind OR NEW.at IS NOT OLD.at OR NEW.dfid IS NOT OLD.dfid
  OR NEW.authority_seq IS NOT OLD.authority_seq OR NEW.payload_hash IS NOT OLD.payload_hash
BEGIN
  SELECT RAISE(ABORT, 'entries are never changed; only a payload can be erased');
END;

CREATE TABLE flows (
  row INTEGER PRIMARY KEY,
  dfid TEXT NOT NULL,
  tenant TEXT NOT NULL,
  version INTEGER NOT NULL,
  agent_id TEXT NOT NULL,
  trigger_event TEXT NOT NULL,
  parent_dfid TEXT,
  root_dfid TEXT NOT NULL,
  trajectory TEXT NOT NULL,
  state TEXT NOT NULL,
  tags TEXT NOT NULL,
  steps TEXT NOT NULL,
  rejections INTEGER NOT NULL,
  transient_rejections INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  snapshot_id TEXT NOT NULL,
  snapshot_at TEXT NOT NULL,
  mission_hash TEXT NOT NULL,
  contract_hash TEXT NOT NULL,
  contract_seq INTEGER NOT NULL,
  writs TEXT NOT NULL,
  opened_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  history TEXT NOT NULL,
  UNIQUE (dfid, tenant)
) STRICT;
CREATE INDEX flows_open ON flows (tenant, dfid) WHERE state NOT IN ('CLOSED', 'ABORTED');
CREATE INDEX flows_tagged ON flows (tenant, dfid) WHERE tags <> '[]';
CREATE INDEX flows_agent ON flows (tenant, agent_id, dfid);
CREATE INDEX flows_parent ON flows (tenant, parent_dfid, dfid) WHERE parent_dfid IS NOT NULL;

CREATE TABLE executions (
  row INTEGER PRIMARY KEY,
  dfid TEXT NOT NULL,
  step_id TEXT NOT NULL,
  tenant TEXT NOT NULL,
  version INTEGER NOT NULL,
  trajectory TEXT NOT NULL,
  status TEXT NOT NULL,
  policy_kind TEXT NOT NULL,
  params_fingerprint TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  intent TEXT NOT NULL,
  dispatched_trajectory TEXT NOT NULL,
  dispatched_seq INTEGER NOT NULL,
  dispatched_at TEXT NOT NULL,
  last_sent_at TEXT NOT NULL,
  sends INTEGER NOT NULL,
  probes INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  next_at TEXT,
  reason_code TEXT,
  result TEXT NOT NULL,
  receipt TEXT NOT NULL,
  settled_at TEXT,
  UNIQUE (dfid, step_id, tenant)
) STRICT;
CREATE INDEX executions_open ON executions (tenant, dfid, step_id)
  WHERE status NOT IN ('SUCCESS', 'FAILED', 'ABANDONED');

CREATE TABLE counters (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  used INTEGER NOT NULL CHECK (used >= 0),
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE writs (
  row INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  trajectory TEXT NOT NULL,
  seq INTEGER NOT NULL,
  writ TEXT NOT NULL,
  UNIQUE (tenant, id)
) STRICT;

CREATE TABLE resources (
  tenant TEXT NOT NULL,
  trajectory TEXT NOT NULL,
  key BLOB NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  retracted INTEGER NOT NULL,
  last_entry TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (tenant, trajectory, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE world_nodes (
  tenant TEXT NOT NULL,
  trajectory TEXT NOT NULL,
  prefix TEXT NOT NULL,
  page BLOB NOT NULL,
  PRIMARY KEY (tenant, trajectory, prefix)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
  tenant TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  size INTEGER NOT NULL,
  note TEXT NOT NULL,
  frontier BLOB NOT NULL,
  PRIMARY KEY (tenant, epoch, size)
) STRICT, WITHOUT ROWID;

CREATE TABLE tiles (
  tenant TEXT NOT NULL,
  number INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (tenant, number)
) STRICT, WITHOUT ROWID;
`,
}
