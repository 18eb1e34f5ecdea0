import type { SchemaStep } from '../../unit/schema-steps.ts'

/**
 * The tables. Every key holds the tenant; where a key holds a dfid, the dfid leads: it starts with
 * its time, so rows arrive at the end of the tree however large it grows, and an auditor's query
 * finds a flow without naming the tenant. Texts that are ordered are ordered by their bytes.
 *
 * `entries` and `leaves` are the ledger: rows are added, and nothing else. An entry is not changed
 * when it gets its place in the tree; the place is a row of its own.
 *
 * Payloads up to a page are kept in the row, as they are: compressing them costs more than it saves.
 */
export const tables: SchemaStep = {
  number: 1,
  name: 'tables',
  sql: `
CREATE TABLE engines (
  tenant text COLLATE "C" NOT NULL,
  epoch bigint NOT NULL,
  batch bigint NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  PRIMARY KEY (tenant, epoch)
);

CREATE TABLE trajectories (
  tenant text COLLATE "C" NOT NULL,
  trajectory text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  at text COLLATE "C" NOT NULL,
  world_root text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, trajectory)
);

CREATE TABLE entries (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  trajectory text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent text COLLATE "C",
  v integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  at text COLLATE "C" NOT NULL,
  dfid text COLLATE "C",
  authority_seq bigint,
  payload_hash text COLLATE "C" NOT NULL,
  payload text COLLATE "C",
  authority_head bigint NOT NULL,
  UNIQUE (tenant, trajectory, seq)
) WITH (toast_tuple_target = 8160);
CREATE INDEX entries_flow ON entries (dfid, tenant, row) WHERE dfid IS NOT NULL;
CREATE INDEX entries_authority ON entries (kind, tenant, seq) WHERE trajectory = 'authority';
CREATE INDEX entries_escalations ON entries (dfid, tenant, row) WHERE kind = 'pending_approval';

CREATE TABLE leaves (
  tenant text COLLATE "C" NOT NULL,
  leaf bigint NOT NULL,
  row bigint NOT NULL UNIQUE,
  PRIMARY KEY (tenant, leaf)
);

CREATE TABLE placed (
  tenant text COLLATE "C" NOT NULL,
  trajectory text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (tenant, trajectory)
);

CREATE FUNCTION ledger_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% are never deleted', TG_TABLE_NAME;
END $$;
CREATE FUNCTION ledger_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  OLD.payload := NULL;
  IF NEW IS DISTINCT FROM OLD THEN
    RAISE EXCEPTION 'entries are never changed; only a payload can be erased';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION leaves_are_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'leaves are never changed';
END $$;
CREATE TRIGGER entries_are_kept BEFORE DELETE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_kept();
CREATE TRIGGER entries_are_not_emptied BEFORE TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_kept();
CREATE TRIGGER entries_are_frozen BEFORE UPDATE ON entries
  FOR EACH ROW EXECUTE FUNCTION ledger_is_frozen();
CREATE TRIGGER leaves_are_kept BEFORE DELETE ON leaves
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_kept();
CREATE TRIGGER leaves_are_not_emptied BEFORE TRUNCATE ON leaves
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_kept();
CREATE TRIGGER leaves_are_frozen BEFORE UPDATE ON leaves
  FOR EACH ROW EXECUTE FUNCTION leaves_are_frozen();
ALTER TABLE entries ENABLE ALWAYS TRIGGER entries_are_kept;
ALTER TABLE entries ENABLE ALWAYS TRIGGER entries_are_not_emptied;
ALTER TABLE entries ENABLE ALWAYS TRIGGER entries_are_frozen;
ALTER TABLE leaves ENABLE ALWAYS TRIGGER leaves_are_kept;
ALTER TABLE leaves ENABLE ALWAYS TRIGGER leaves_are_not_emptied;
ALTER TABLE leaves ENABLE ALWAYS TRIGGER leaves_are_frozen;

CREATE TABLE flows (
  row bigint GENERATED ALWAYS AS IDENTITY,
  dfid text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  trigger_event text COLLATE "C" NOT NULL,
  parent_dfid text COLLATE "C",
  root_dfid text COLLATE "C" NOT NULL,
  trajectory text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  tags text COLLATE "C" NOT NULL,
  steps text COLLATE "C" NOT NULL,
  rejections bigint NOT NULL,
  transient_rejections bigint NOT NULL,
  attempts bigint NOT NULL,
  snapshot_id text COLLATE "C" NOT NULL,
  snapshot_at text COLLATE "C" NOT NULL,
  mission_hash text COLLATE "C" NOT NULL,
  contract_hash text COLLATE "C" NOT NULL,
  contract_seq bigint NOT NULL,
  writs text COLLATE "C" NOT NULL,
  opened_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  history text COLLATE "C" NOT NULL,
  open boolean GENERATED ALWAYS AS (state NOT IN ('CLOSED', 'ABORTED')) STORED,
  PRIMARY KEY (dfid, tenant)
) WITH (fillfactor = 45);
CREATE INDEX flows_open ON flows (tenant, dfid) WHERE open;
CREATE INDEX flows_tagged ON flows (tenant, dfid) WHERE tags <> '[]';
CREATE INDEX flows_agent ON flows (agent_id, tenant, dfid);
CREATE INDEX flows_parent ON flows (parent_dfid, tenant, dfid) WHERE parent_dfid IS NOT NULL;

CREATE TABLE executions (
  dfid text COLLATE "C" NOT NULL,
  step_id text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  trajectory text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  policy_kind text COLLATE "C" NOT NULL,
  params_fingerprint text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  intent text COLLATE "C" NOT NULL,
  dispatched_trajectory text COLLATE "C" NOT NULL,
  dispatched_seq bigint NOT NULL,
  dispatched_at text COLLATE "C" NOT NULL,
  last_sent_at text COLLATE "C" NOT NULL,
  sends bigint NOT NULL,
  probes bigint NOT NULL,
  epoch bigint NOT NULL,
  next_at text COLLATE "C",
  reason_code text COLLATE "C",
  result text COLLATE "C" NOT NULL,
  receipt text COLLATE "C" NOT NULL,
  settled_at text COLLATE "C",
  PRIMARY KEY (dfid, step_id, tenant)
) WITH (toast_tuple_target = 8160);
CREATE INDEX executions_open ON executions (tenant, dfid, step_id)
  WHERE status NOT IN ('SUCCESS', 'FAILED', 'ABANDONED');

CREATE TABLE counters (
  tenant text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  used bigint NOT NULL CHECK (used >= 0),
  PRIMARY KEY (tenant, id)
);

CREATE TABLE writs (
  row bigint GENERATED ALWAYS AS IDENTITY,
  tenant text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  trajectory text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  writ text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX writs_newest ON writs (tenant, row);

CREATE TABLE records (
  tenant text COLLATE "C" NOT NULL,
  record text COLLATE "C" NOT NULL,
  grp text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  body text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, record, grp, key)
);

CREATE TABLE resources (
  tenant text COLLATE "C" NOT NULL,
  trajectory text COLLATE "C" NOT NULL,
  key bytea NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  retracted boolean NOT NULL,
  last_entry text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, trajectory, key)
);

CREATE TABLE world_nodes (
  tenant text COLLATE "C" NOT NULL,
  trajectory text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  page bytea NOT NULL,
  PRIMARY KEY (tenant, trajectory, prefix)
);

CREATE TABLE checkpoints (
  tenant text COLLATE "C" NOT NULL,
  epoch bigint NOT NULL,
  size bigint NOT NULL,
  note text COLLATE "C" NOT NULL,
  frontier bytea NOT NULL,
  PRIMARY KEY (tenant, epoch, size)
);

CREATE TABLE tiles (
  tenant text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (tenant, number)
);
`,
}
