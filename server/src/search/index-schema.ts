/** The tables of the search index. Whoever changes one, or what is written into it, counts the version up. */

/** In `user_version`: a file of another version is thrown away. */
export const INDEX_VERSION = 8

/**
 * Times are milliseconds; amounts are minor units of their measure. Words are lower case already, so that the tokenizer
 * compares bytes. Those of a flow lie in several rows, one for each page of entries that had some: a row that grows would have to be taken out of the
 * trigrams and put in again, which takes ten times as long. An entry without a flow has its words under `-1 - leaf` in the place of a flow.
 */
export const INDEX_TABLES = `
CREATE TABLE place (only INTEGER PRIMARY KEY CHECK (only = 1), tenant TEXT NOT NULL, leaf INTEGER NOT NULL, last TEXT,
  owed INTEGER NOT NULL);
CREATE TABLE kind (name TEXT PRIMARY KEY, known TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE flow (
  id INTEGER PRIMARY KEY, dfid TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, opened_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, state TEXT NOT NULL, tags TEXT NOT NULL, attempts INTEGER NOT NULL, parent TEXT,
  trajectory TEXT NOT NULL, kind TEXT, object TEXT, amount INTEGER, measure TEXT, outcome TEXT, reason TEXT
);
CREATE TABLE agent (name TEXT PRIMARY KEY, moved_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX flow_agent ON flow (agent, dfid);
CREATE INDEX flow_updated ON flow (updated_at, dfid);
CREATE INDEX flow_state ON flow (state, dfid);
CREATE INDEX flow_parent ON flow (parent) WHERE parent IS NOT NULL;
CREATE TABLE decision (
  leaf INTEGER PRIMARY KEY, flow INTEGER NOT NULL, at INTEGER NOT NULL, agent TEXT NOT NULL, kind TEXT, object TEXT,
  outcome TEXT NOT NULL, reason TEXT, amount INTEGER, measure TEXT, took_ms INTEGER, step TEXT,
  request TEXT, before_any INTEGER, before_outcome INTEGER, before_code INTEGER
);
CREATE INDEX decision_flow ON decision (flow, outcome, kind, reason, at, measure, amount);
CREATE INDEX decision_kind ON decision (kind, outcome, reason, at, flow, measure, amount);
CREATE INDEX decision_outcome ON decision (outcome, at, flow);
CREATE INDEX decision_at ON decision (at, outcome, reason, flow, took_ms, measure, amount);
CREATE INDEX decision_reason ON decision (reason, at, outcome, flow);
CREATE INDEX decision_measure ON decision (measure, amount, outcome, kind, reason, at, flow);
CREATE TABLE tally (
  every INTEGER NOT NULL, at INTEGER NOT NULL, agent TEXT NOT NULL, outcome TEXT NOT NULL, code TEXT NOT NULL,
  before_any INTEGER NOT NULL, before_outcome INTEGER NOT NULL, before_code INTEGER NOT NULL,
  n INTEGER NOT NULL, high INTEGER NOT NULL, low INTEGER NOT NULL,
  PRIMARY KEY (every, at, agent, outcome, code, before_any, before_outcome, before_code)
) WITHOUT ROWID;
CREATE TABLE execution (
  dfid TEXT NOT NULL, step_id TEXT NOT NULL, flow INTEGER NOT NULL, agent TEXT NOT NULL, at INTEGER NOT NULL,
  status TEXT NOT NULL, kind TEXT NOT NULL, object TEXT, amount INTEGER, measure TEXT, reason TEXT,
  PRIMARY KEY (dfid, step_id)
) WITHOUT ROWID;
CREATE INDEX execution_at ON execution (at);
CREATE TABLE escalation (
  id TEXT PRIMARY KEY, dfid TEXT NOT NULL, flow INTEGER NOT NULL, agent TEXT NOT NULL, at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, ended_at INTEGER, state TEXT NOT NULL, ended TEXT, kind TEXT, object TEXT, amount INTEGER, measure TEXT,
  reason TEXT NOT NULL, impact TEXT NOT NULL, queue TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX escalation_dfid ON escalation (dfid);
CREATE INDEX escalation_state ON escalation (state, at);
CREATE TABLE entry (
  leaf INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, agent TEXT, flow INTEGER, reason TEXT
);
CREATE INDEX entry_flow ON entry (flow);
CREATE INDEX entry_agent ON entry (agent, leaf);
CREATE INDEX entry_kind ON entry (kind, leaf);
CREATE TABLE happening (
  leaf INTEGER PRIMARY KEY, at INTEGER NOT NULL, what TEXT NOT NULL, agent TEXT, dfid TEXT, who TEXT, detail TEXT
);
CREATE TABLE said (id INTEGER PRIMARY KEY, flow INTEGER NOT NULL, length INTEGER NOT NULL);
CREATE INDEX said_flow ON said (flow, length);
CREATE VIRTUAL TABLE words USING fts5 (said, tokenize = 'trigram case_sensitive 1');
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
`
