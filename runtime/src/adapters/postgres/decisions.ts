/**
 * Reads the rows of decisions. Those that are asked for while others are being read share the next
 * transaction: what one of them costs is then mostly its own rows.
 *
 * Every decision is read from one moment: the transaction is of one snapshot.
 */
import { AUTHORITY } from 'rubicon-kernel'
import type { DecisionView, ExecutionRow, FlowRow } from '../../ports/store.ts'
import type { RowCodes } from '../unit/row-codes.ts'
import { computeAuthorityTime } from '../unit/unit-time.ts'
import { buildLookup } from './bulk.ts'
import type { Readers } from './connections.ts'
import { encodeArray } from './parameters.ts'
import {
  buildExecutionColumns,
  COUNTER_COLUMNS,
  FLOW_COLUMNS,
  HEAD_COLUMNS,
  parseExecution,
  parseFlow,
  parseHead,
  parseText,
} from './rows.ts'
import type { ServerTime } from './server-time.ts'
import { awaitAll, type DatabaseSession } from './session.ts'
import { joinKey } from './wanted.ts'

type Question = {
  readonly dfid: string
  readonly stepId: string
  readonly counters: (flow: FlowRow) => readonly string[]
}
type Asked = Question & {
  readonly resolve: (view: DecisionView | null) => void
  readonly reject: (error: unknown) => void
}
type Rows = {
  readonly flows: ReadonlyMap<string, FlowRow>
  readonly executions: ReadonlyMap<string, ExecutionRow>
}

/** So many are read at once; the others are the next. */
const AT_ONCE = 256

export class Decisions {
  readonly #readers: Readers
  readonly #tenant: string
  readonly #time: ServerTime
  readonly #codes: RowCodes
  #waiting: Asked[] = []
  #running: Promise<void> | undefined

  constructor(readers: Readers, tenant: string, time: ServerTime, codes: RowCodes) {
    this.#readers = readers
    this.#tenant = tenant
    this.#time = time
    this.#codes = codes
  }

  read(question: Question): Promise<DecisionView | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...question, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    // What is asked in the same turn goes together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, AT_ONCE)
      try {
        const answers = await this.#readers.read((session) => this.#answers(asked, session))
        for (const answer of answers) answer()
      } catch (error) {
        for (const { reject } of asked) reject(error)
      }
    }
    this.#running = undefined
  }

  /** How to answer each; given when the transaction is over. */
  async #answers(
    asked: readonly Asked[],
    session: DatabaseSession,
  ): Promise<readonly (() => void)[]> {
    const rows = await this.#readRows(asked, session)
    const names = asked.map((one) => listCounterNames(one, rows.flows.get(one.dfid)))
    const trajectories = new Set([AUTHORITY])
    for (const { trajectory } of rows.flows.values()) trajectories.add(trajectory)
    const [now, found, headRows] = await awaitAll([
      this.#time.ask(session),
      session.run(COUNTERS, this.#tenant, encodeArray('text', collectDistinctNames(names))),
      session.run(HEADS, this.#tenant, encodeArray('text', [...trajectories])),
      session.commit(),
    ])
    const heads = new Map(headRows.map(parseHead).map((row) => [row.trajectory, row]))
    const used = new Map(found.map((row) => [parseText(row, 'id'), row]))
    return asked.map(({ dfid, stepId, resolve, reject }, i) => {
      const named = names[i] ?? []
      if ('error' in named) return () => reject(named.error)
      const flow = rows.flows.get(dfid)
      if (flow === undefined) return () => resolve(null)
      const findHead = (name: string) => heads.get(name)
      const read = (): DecisionView => ({
        now: computeAuthorityTime(now, findHead, [flow.trajectory]),
        authority_seq: findHead(AUTHORITY)?.seq ?? -1,
        flow,
        claim: rows.executions.get(joinKey(dfid, stepId)) ?? null,
        counters: Object.fromEntries(
          named.map((id) => [id, this.#codes.parseCounter(id, used.get(id))]),
        ),
      })
      return () => {
        try {
          resolve(read())
        } catch (error) {
          reject(error)
        }
      }
    })
  }

  async #readRows(asked: readonly Asked[], session: DatabaseSession): Promise<Rows> {
    const dfids = encodeArray(
      'text',
      asked.map(({ dfid }) => dfid),
    )
    const steps = encodeArray(
      'text',
      asked.map(({ stepId }) => stepId),
    )
    const [, flows, executions] = await awaitAll([
      session.runScript('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'),
      session.run(FLOWS, this.#tenant, dfids),
      session.run(EXECUTIONS, this.#tenant, dfids, steps),
    ])
    return {
      flows: new Map(flows.map(parseFlow).map((row) => [row.dfid, row])),
      executions: new Map(
        executions.map(parseExecution).map((row) => [joinKey(row.dfid, row.step_id), row]),
      ),
    }
  }
}

type Named = readonly string[] | { readonly error: unknown }

/** Who asks cannot spoil the answers of the others. */
function listCounterNames({ counters }: Asked, flow: FlowRow | undefined): Named {
  try {
    return flow === undefined ? [] : counters(flow)
  } catch (error) {
    return { error }
  }
}

function collectDistinctNames(names: readonly Named[]): readonly string[] {
  return [...new Set(names.flatMap((one) => ('error' in one ? [] : one)))]
}

const FLOWS = buildLookup('decision_flows', FLOW_COLUMNS, 'flows', { dfid: 'text' })
const EXECUTIONS = buildLookup('decision_executions', buildExecutionColumns('t'), 'executions', {
  dfid: 'text',
  step_id: 'text',
})
const HEADS = buildLookup('decision_heads', HEAD_COLUMNS, 'trajectories', { trajectory: 'text' })
const COUNTERS = buildLookup('decision_counters', COUNTER_COLUMNS, 'counters', { id: 'text' })
