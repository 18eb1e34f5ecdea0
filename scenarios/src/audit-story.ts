/**
 * The audit query of framework §4.2, asked of whatever store a scenario was played on. SQLite and Postgres have views that
 * it reads. Memory understands no SQL: there the rows of the flow are laid into tables of the same names first.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { JsonObject } from 'rubicon-kernel'
import { AUDIT_QUERY, type Store } from 'rubicon-runtime/ports'
import { readStore } from '../../server/src/demo/ledger-file.ts'
import type { Stage } from '../../server/src/demo/stage.ts'

type StoryRow = Readonly<Record<string, unknown>>

const SAMPLE_DFID = '550e8400-e29b-41d4-a716-446655440000'

/** Of a store that nobody has open. */
export async function askAuditQuery(stage: Stage, dfid: string): Promise<readonly StoryRow[]> {
  const query = AUDIT_QUERY.replace(SAMPLE_DFID, dfid)
  switch (stage.storeName) {
    case 'postgres': {
      const { askOnce } = await import('../../runtime/src/adapters/postgres/ask-once.ts')
      return askOnce(stage.store, query)
    }
    case 'sqlite': {
      const file = new DatabaseSync(stage.store.slice('sqlite:'.length), { readOnly: true })
      return askAndClose(file, query)
    }
    case 'memory': {
      const database = new DatabaseSync(':memory:')
      await readStore(stage, (store) => layOut(database, store, dfid))
      return askAndClose(database, query)
    }
  }
}

function askAndClose(database: DatabaseSync, query: string): readonly StoryRow[] {
  try {
    return database.prepare(query).all()
  } finally {
    database.close()
  }
}

async function layOut(database: DatabaseSync, store: Store, dfid: string): Promise<void> {
  const flow = await store.readFlow(dfid)
  const [opening] = await store.listFlowEntries(dfid, ['writ'])
  const decided = await store.listFlowEntries(dfid, ['dispatch', 'rejection', 'pending_approval'])
  const snapshot = getAt(parsePayload(opening?.payload), 'flow', 'snapshot_id')
  fill(database, 'decision_flows', [
    { dfid, agent_id: flow?.agent_id ?? null, trigger_event: flow?.trigger ?? null },
  ])
  fill(database, 'context_snapshots', [{ dfid, snapshot_id: snapshot }])
  const payloads = decided.map(({ payload }) => parsePayload(payload))
  const proposals = payloads.map((said) => ({
    dfid,
    policy_kind: getAt(said, 'proposal', 'policy_kind'),
    justification: getAt(said, 'proposal', 'justification'),
    confidence: Number(getAt(said, 'proposal', 'confidence')),
  }))
  fill(database, 'policy_proposals', proposals)
  const verdicts = decided.map(({ envelope: { kind } }, index) => ({
    dfid,
    outcome: OUTCOMES[kind] ?? kind,
    reason_code: getAt(payloads[index], 'reason_code'),
  }))
  fill(database, 'dim_validations', verdicts)
  const executions = await store.listExecutions({ dfid, limit: 10 })
  const log = executions.map(({ idempotency_key, status }) => ({ dfid, idempotency_key, status }))
  fill(database, 'execution_log', log)
}

const OUTCOMES: Readonly<Record<string, string>> = {
  dispatch: 'ACCEPTED',
  rejection: 'REJECTED',
  pending_approval: 'ESCALATED',
}

function fill(
  database: DatabaseSync,
  table: string,
  rows: readonly Readonly<Record<string, SQLInputValue>>[],
): void {
  const columns = Object.keys(rows[0] ?? { dfid: null })
  database.exec(`CREATE TABLE ${table} (${columns.join(', ')})`)
  const places = columns.map(() => '?').join(', ')
  for (const row of rows)
    database.prepare(`INSERT INTO ${table} VALUES (${places})`).run(...Object.values(row))
}

/** Entries in our own store are canonical JSON. */
function parsePayload(payload: string | null | undefined): JsonObject {
  return JSON.parse(payload ?? '{}') as JsonObject
}

function getAt(value: unknown, ...path: readonly string[]): string | number | null {
  const [name, ...rest] = path
  if (name === undefined)
    return typeof value === 'string' || typeof value === 'number' ? value : null
  return getAt(Object(value)[name], ...rest)
}
