/** Writes what a page of entries, and the rows that they touched, change in the index: in one transaction. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { parseInstant } from 'rubicon-kernel'
import type { ExecutionRow, FlowRow } from 'rubicon-runtime/ports'
import { WORDS_LENGTH } from './flow-words.ts'
import type { FoldedVerdict, IndexChange, KnownKind } from './fold-entry.ts'
import { forgetFlowRows } from './forget-flow.ts'
import { insertWords } from './insert-words.ts'
import type { TouchedFlow, TouchedRequest } from './read-touched.ts'
import { addToTally, findPredecessors, NO_PREDECESSORS } from './verdict-tally.ts'

export type IndexBatch = {
  readonly changes: readonly IndexChange[]
  readonly touched: readonly TouchedFlow[]
  readonly kinds: ReadonlyMap<string, KnownKind>
  /** Where the index stands afterwards. */
  readonly leaf: number
  /** Null: no entry was taken in. */
  readonly last: string | null
}

const UPSERT_FLOW = `INSERT INTO flow (dfid, agent, opened_at, updated_at, state, tags, attempts, parent, trajectory)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dfid) DO UPDATE SET updated_at = excluded.updated_at,
  state = excluded.state, tags = excluded.tags, attempts = excluded.attempts RETURNING id, outcome`

const PUT_AGENT = `INSERT INTO agent VALUES (?, ?)
  ON CONFLICT DO UPDATE SET moved_at = excluded.moved_at WHERE excluded.moved_at > moved_at`

const PUT_VERDICT = 'INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'

const PUT_EXECUTION = `INSERT OR REPLACE INTO execution
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, d.object, d.amount, d.measure, ?8 FROM (SELECT 1)
  LEFT JOIN (SELECT object, amount, measure FROM decision WHERE flow = ?3 AND step = ?2 AND outcome = 'accepted'
    ORDER BY leaf DESC LIMIT 1) d`

const PUT_ESCALATION = `INSERT OR REPLACE INTO escalation
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, d.object, d.amount, d.measure, ?11, ?12, ?13 FROM (SELECT 1)
  LEFT JOIN (SELECT object, amount, measure FROM decision WHERE flow = ?3 AND request = ?1 AND kind IS NOT NULL
    ORDER BY leaf DESC LIMIT 1) d`

const ASKED_AT_ONCE = 16

const ASKED_OF_ENDED = `SELECT DISTINCT e.dfid FROM escalation e JOIN flow f ON f.id = e.flow
  WHERE e.state IN ('open', 'approved') AND e.kind IS NOT NULL AND f.state IN ('CLOSED', 'ABORTED') AND e.dfid > ?
  ORDER BY e.dfid LIMIT ${ASKED_AT_ONCE}`

type Flow = {
  readonly id: number
  readonly agent: string
  /** It has a verdict already. */
  isDecided: boolean
}

export class IndexWriter {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #askedAfter = ''

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  write({ changes, touched, kinds, leaf, last }: IndexBatch): void {
    this.#database.exec('BEGIN')
    try {
      for (const [name, known] of kinds)
        this.#prepare('INSERT OR REPLACE INTO kind VALUES (?, ?)').run(name, JSON.stringify(known))
      const flows = this.#putFlows(touched)
      for (const change of changes) this.#putEntry(change, flows)
      const [first] = changes
      if (first !== undefined) addToTally((sql) => this.#prepare(sql), first.leaf)
      for (const one of touched) this.#putRows(one, flows)
      this.#putWords(changes, flows)
      for (const { erases } of changes) if (erases !== null) forgetFlowRows(this.#database, erases)
      this.#prepare('UPDATE place SET leaf = ?, last = coalesce(?, last)').run(leaf, last)
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /** Of a flow, as the index has them. */
  listRequests(dfid: string, which: 'waiting' | 'all'): readonly string[] {
    const all = 'SELECT id FROM escalation WHERE dfid = ?'
    const sql = which === 'all' ? all : `${all} AND state <> 'closed'`
    return this.#prepare(sql)
      .all(dfid)
      .map(({ id }) => String(id))
  }

  /**
   * Flows that have ended and still have a proposal that waits: it is closed a moment after its flow, by no entry. They are
   * read again until it is, some at a time and each in its turn: one that stays open holds up none of the others.
   */
  takeAskedOfEnded(): readonly string[] {
    const listed = this.#listAskedOfEnded(this.#askedAfter)
    this.#askedAfter = listed.length < ASKED_AT_ONCE ? '' : (listed.at(-1) ?? '')
    return listed
  }

  hasAskedOfEnded(): boolean {
    return this.#listAskedOfEnded('').length > 0
  }

  #listAskedOfEnded(after: string): readonly string[] {
    return this.#prepare(ASKED_OF_ENDED)
      .all(after)
      .map(({ dfid }) => String(dfid))
  }

  #putFlows(touched: readonly TouchedFlow[]): ReadonlyMap<string, Flow> {
    const flows = new Map<string, Flow>()
    const agents = new Map<string, number>()
    for (const { dfid, flow } of touched) {
      const { agent_id: agent, updated_at } = flow
      const row = this.#prepare(UPSERT_FLOW).get(...toFlowColumns(flow))
      flows.set(dfid, { id: Number(row?.id), agent, isDecided: row?.outcome !== null })
      agents.set(agent, Math.max(agents.get(agent) ?? 0, toMs(updated_at)))
    }
    for (const [agent, at] of agents) this.#prepare(PUT_AGENT).run(agent, at)
    return flows
  }

  #putEntry(change: IndexChange, flows: ReadonlyMap<string, Flow>): void {
    const { leaf, at, kind, dfid, reason, verdict, request, happening } = change
    const flow = dfid === null ? undefined : flows.get(dfid)
    const agent = flow?.agent ?? change.agent
    this.#prepare('INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?)').run(
      ...[leaf, at, kind, agent, flow?.id ?? null, reason],
    )
    if (happening !== null)
      this.#prepare('INSERT OR REPLACE INTO happening VALUES (?, ?, ?, ?, ?, ?, ?)').run(
        ...[leaf, at, happening.what, agent, dfid, happening.who, happening.detail],
      )
    if (verdict === null || flow === undefined) return
    this.#putVerdict(leaf, at, flow, verdict, request?.id ?? null)
  }

  #putVerdict(
    leaf: number,
    at: number,
    flow: Flow,
    verdict: FoldedVerdict,
    request: string | null,
  ): void {
    const { id, agent, isDecided } = flow
    const { outcome, reason, kind, object, amount, took_ms, step } = verdict
    const [units, measure] = [amount?.units ?? null, amount?.measure ?? null]
    const found =
      isDecided && outcome !== 'ended'
        ? findPredecessors((sql) => this.#prepare(sql), id, { at, outcome, reason, measure })
        : { ...NO_PREDECESSORS, at }
    this.#prepare(PUT_VERDICT).run(
      ...[leaf, id, found.at, agent, kind, object, outcome, reason, units, measure, took_ms, step],
      ...[request, found.before_any, found.before_outcome, found.before_code],
    )
    if (outcome !== 'ended') flow.isDecided = true
    if (outcome === 'ended') {
      this.#prepare('UPDATE flow SET reason = ? WHERE id = ?').run(reason, id)
      return
    }
    // A request that goes on from an agent to a person says nothing anew of what it is about.
    if (kind === null) {
      this.#prepare('UPDATE flow SET outcome = ?, reason = ? WHERE id = ?').run(outcome, reason, id)
      return
    }
    this.#prepare(
      'UPDATE flow SET kind = ?, object = ?, amount = ?, measure = ?, outcome = ?, reason = ? WHERE id = ?',
    ).run(kind, object, units, measure, outcome, reason, id)
  }

  #putRows({ dfid, executions, requests }: TouchedFlow, flows: ReadonlyMap<string, Flow>): void {
    const flow = flows.get(dfid)
    if (flow === undefined) return
    if (executions !== null) this.#putExecutions(dfid, executions, flow)
    for (const request of requests) this.#putRequest(dfid, request, flow)
  }

  /** One that was accepted and never sent is in the store no more. */
  #putExecutions(dfid: string, executions: readonly ExecutionRow[], flow: Flow): void {
    const steps = JSON.stringify(executions.map(({ step_id }) => step_id))
    const sql =
      'DELETE FROM execution WHERE dfid = ? AND step_id NOT IN (SELECT value FROM json_each(?))'
    this.#prepare(sql).run(dfid, steps)
    for (const row of executions) this.#prepare(PUT_EXECUTION).run(...toExecutionColumns(row, flow))
  }

  #putRequest(dfid: string, { id, found }: TouchedRequest, flow: Flow): void {
    if (found === null) {
      this.#prepare('DELETE FROM escalation WHERE id = ?').run(id)
      return
    }
    const { request, ended, proposal } = found.body
    const kind =
      proposal !== null && typeof proposal === 'object' && 'policy_kind' in proposal
        ? String(proposal.policy_kind)
        : null
    this.#prepare(PUT_ESCALATION).run(
      ...[id, dfid, flow.id, flow.agent, toMs(request.requested_at), toMs(request.expires_at)],
      ...[ended === null ? null : toMs(ended.at), found.state, ended?.as ?? null, kind],
      ...[request.domain_code ?? request.reason_code, request.impact, request.queue],
    )
  }

  #putWords(changes: readonly IndexChange[], flows: ReadonlyMap<string, Flow>): void {
    const texts = new Map<number, string[]>()
    for (const { leaf, dfid, texts: found } of changes) {
      const flow = dfid === null ? undefined : flows.get(dfid)
      const row = flow?.id ?? -1 - leaf
      const known =
        texts.get(row) ?? (flow === undefined || dfid === null ? [] : [dfid, flow.agent])
      known.push(...found)
      texts.set(row, known)
    }
    for (const [row, [first = '', second = '', ...rest]] of texts) {
      const sql = 'SELECT sum(length) AS length FROM said WHERE flow = ?'
      const length = this.#prepare(sql).get(row)?.length
      const isNew = typeof length !== 'number'
      const room = WORDS_LENGTH - (isNew ? 0 : length)
      // A flow that is known has its name in an earlier row.
      const added = isNew || row < 0 ? [first, second, ...rest] : rest
      insertWords((sql) => this.#prepare(sql), row, added, room)
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

type Column = string | number | null

function toFlowColumns(flow: FlowRow): readonly Column[] {
  const { dfid, agent_id, opened_at, updated_at, state, tags, attempts } = flow
  const listed = tags.length === 0 ? '' : `,${tags.join(',')},`
  return [
    ...[dfid, agent_id, toMs(opened_at), toMs(updated_at), state, listed, attempts],
    ...[flow.parent_dfid, flow.trajectory],
  ]
}

function toExecutionColumns(row: ExecutionRow, { id, agent }: Flow): readonly Column[] {
  const { dfid, step_id, dispatched_at, status, policy_kind, reason_code } = row
  return [dfid, step_id, id, agent, toMs(dispatched_at), status, policy_kind, reason_code]
}

function toMs(at: string): number {
  return parseInstant(at) ?? 0
}
