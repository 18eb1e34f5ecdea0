/** What the views of the seeds say of flows that really ran, the same on every database. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { LIMITS } from 'rubicon-kernel'
import type { Flow } from '../compose.ts'
import {
  ANN,
  BOB,
  codeOf,
  type Desk,
  type DeskOptions,
  desk,
} from '../engine/approve/escalation.test-support.ts'
import { LEAD, leadContract } from '../engine/approve/family.test-support.ts'
import { AGENT, refund } from '../engine/flow/flow-stage.test-support.ts'
import { AUDIT_QUERY } from '../ports/audit-query.ts'
import { DFID } from '../ports/conformance/seed-rows.ts'
import type { RunQuery } from '../ports/seed-views.conformance.ts'
import { temporaryFolder } from '../temporary-folder.test-support.ts'
import { columnTypes } from './postgres/session.ts'
import { createEmptyDatabase, describeWithServer } from './postgres/testing.ts'

type Database = { readonly store: string; readonly all: RunQuery }

describe('the views of the seeds, of flows that ran: sqlite', () => {
  viewsOfFlows(async () => {
    const path = join(temporaryFolder(), 'store.db')
    return {
      store: `sqlite:${path}`,
      async all(sql) {
        const database = new DatabaseSync(path, { readOnly: true })
        const rows = database.prepare(sql).all()
        database.close()
        return rows.map((row) => ({ ...row }))
      },
    }
  })
})

describeWithServer('the views of the seeds, of flows that ran: postgres', () => {
  viewsOfFlows(async () => {
    const store = await createEmptyDatabase()
    return {
      store,
      async all(sql) {
        const client = new Client({ connectionString: store, types: columnTypes })
        await client.connect()
        try {
          return (await client.query<Record<string, unknown>>(sql)).rows
        } finally {
          await client.end()
        }
      },
    }
  })
})

function viewsOfFlows(prepare: () => Promise<Database>): void {
  const played = async (
    play: (stage: Desk, all: RunQuery) => Promise<void>,
    options: DeskOptions = {},
  ): Promise<void> => {
    const { store, all } = await prepare()
    const stage = await desk({ store, ...options })
    try {
      await play(stage, all)
      await stage.close()
    } finally {
      await stage.runtime().close()
    }
  }

  it('ledger shows every payload byte for byte, and no intent is stored twice', () =>
    played(async (stage, all) => {
      const said = { justification: 'the mug — „broken“ 😀 — was \u0000 sold', confidence: 0.9 }
      const { flow } = await stage.ask('20.00', said)
      await stage.ask('800.00', said)
      await stage.runtime().store.integrate()
      const entries = await stage.runtime().store.listLeaves(0, 1_000)
      const shown = await all('SELECT id, payload FROM ledger')
      deepEqual(
        new Map(shown.map(({ id, payload }) => [id, payload])),
        new Map(entries.map(({ id, payload }) => [id, payload])),
      )
      const stored = await all(`SELECT kind, packed IS NOT NULL AS is_packed,
        payload IS NOT NULL AS is_text FROM entries WHERE dfid = '${flow.dfid}'`)
      const isPacked = (row: Record<string, unknown>): boolean => Boolean(row.is_packed)
      deepEqual(
        stored
          .filter(isPacked)
          .map(({ kind }) => kind)
          .sort(),
        ['commit', 'dispatch', 'writ'],
      )
      equal(stored.filter((row) => isPacked(row) === Boolean(row.is_text)).length, 0)
      const [row] = await all(
        `SELECT intent, intent_seq FROM executions WHERE dfid = '${flow.dfid}'`,
      )
      deepEqual([row?.intent, typeof row?.intent_seq], ['', 'number'])
    }))

  it('finding 17a: executors of their own cost the audit query neither reasoning nor action', () =>
    played(
      async (stage, all) => {
        const said = { justification: 'the mug came broken', confidence: 0.9 }
        const { flow } = await stage.ask('20.00', said)
        const kinds = (await stage.entries(flow.dfid)).map(([kind]) => kind)
        deepEqual(kinds, ['writ', 'accepted', 'dispatch', 'commit'])
        const [row, ...more] = await all(AUDIT_QUERY.replace(DFID, flow.dfid))
        deepEqual(more, [], 'one judgement, one proposal')
        deepEqual(
          [row?.agent_reasoning, row?.proposed_action, row?.confidence],
          ['the mug came broken', 'REFUND', 0.9],
        )
        deepEqual([row?.validation_result, row?.execution_status], ['ACCEPTED', 'SUCCESS'])
        const [{ attempt_number } = {}] = await all(ofFlow('dim_validations', flow))
        equal(attempt_number, 1)
      },
      { executors: 'separate' },
    ))

  it('finding 17b: no context that an agent was shown is missing from context_snapshots', () =>
    played(async (stage, all) => {
      const { flow, shown } = await refreshed(stage)
      const rows = await all(`${ofFlow('context_snapshots', flow)} ORDER BY timestamp`)
      deepEqual(
        rows.map(({ snapshot_id, data }) => [snapshot_id, stateIn(data)]),
        shown,
      )
    }, MARKET))

  it('finding 17c: no exception that reached a person is missing from escalation_budget', () =>
    played(
      async (stage, all) => {
        await stage.runtime().deploy(leadContract(LEAD, '1000.00'))
        const counted = async (): Promise<unknown> =>
          (await all('SELECT * FROM escalation_budget ORDER BY id')).map((row) => [
            row.agent_id,
            row.created_at,
          ])
        await stage.ask('800.00')
        deepEqual(await counted(), [], 'to ask an agent above costs nothing')
        await stage.clock.advance(LIMITS.parentMs)
        const passedOn = now(stage)
        await stage.engine().runDue()
        deepEqual(await counted(), [[AGENT, passedOn]])
        const [row, ...more] = await all('SELECT * FROM escalation_requests')
        deepEqual(more, [], 'it is one request, whoever is asked')
        ok(typeof row?.proposal_json === 'string' && row.status === 'PENDING')

        const instance = `${AGENT}-1`
        ok((await stage.engine().instances.spawn({ class: AGENT, instance })).ok)
        await stage.clock.advance(1_000)
        const asked = now(stage)
        const flow = await stage.runtime().open({ agent: instance, trigger: 'ticket 9' })
        await flow.escalate('lost')
        deepEqual(await counted(), [
          [AGENT, passedOn],
          [AGENT, asked],
        ])
        const key = ['escalation_budget', 'agents', AGENT] as const
        const { body } = (await stage.runtime().store.readRecord(...key)) ?? {}
        deepEqual(body?.spent, [passedOn, asked], 'the view tells what the runtime counts')
      },
      { contract: { parent_agent: LEAD } },
    ))

  it('finding 17d: human_decision is never empty where somebody decided', () =>
    played(
      async (stage, all) => {
        const { flow } = await stage.ask('800.00')
        await stage.clock.advance(1_000)
        const first = now(stage)
        equal(codeOf(await stage.decide({ justification: 'seen "it"' }, ANN)), 'ok')
        const [half] = await all(ofFlow('escalation_requests', flow))
        deepEqual([half?.status, half?.human_decision, half?.resolved_at], ['PENDING', null, null])
        await stage.clock.advance(1_000)
        const second = now(stage)
        equal(codeOf(await stage.decide({}, BOB)), 'ok')
        const [row, ...more] = await all(ofFlow('escalation_requests', flow))
        deepEqual(more, [])
        deepEqual([row?.status, row?.resolved_at], ['RESOLVED', second])
        const { person, earlier, ...decided } = JSON.parse(String(row?.human_decision))
        deepEqual(decided, {
          decision: 'OVERRIDE',
          approver: 'bob@example.com',
          at: second,
          justification: 'the customer is owed it',
        })
        equal(earlier.length, 1)
        const { person: other, ...before } = earlier[0]
        deepEqual(before, {
          decision: 'OVERRIDE',
          approver: 'ann@example.com',
          at: first,
          justification: 'seen "it"',
        })
        ok(typeof person === 'string' && typeof other === 'string' && person !== other)
      },
      { contract: { safety_rules: { approvers: TWO } } },
    ))

  it('finding 17e: no request of a flow is hidden by a later one', () =>
    played(async (stage, all) => {
      const flow = await stage.runtime().open({ agent: AGENT, trigger: 't', steps: 'many' })
      const asks = async (amount: string, step: string): Promise<void> => {
        await stage.clock.advance(1_000)
        equal((await flow.propose(refund(amount, step))).outcome, 'ESCALATED')
        await stage.clock.advance(1_000)
      }
      await asks('600.00', 'one')
      equal(codeOf(await stage.decide({}, ANN)), 'ok')
      await asks('700.00', 'two')
      const params = { order: 'o-two', amount: '650.00' }
      equal(codeOf(await stage.decide({ decision: 'MODIFY', modified: { params } }, BOB)), 'ok')
      await asks('800.00', 'three')
      const rows = async (): Promise<unknown> =>
        (await all(`${ofFlow('escalation_requests', flow)} ORDER BY created_at`)).map((row) => [
          JSON.parse(String(row.proposal_json)).params.amount,
          row.status,
          row.human_decision === null ? null : JSON.parse(String(row.human_decision)).decision,
          row.resolved_at !== null,
        ])
      const before = [
        ['600.00', 'RESOLVED', 'OVERRIDE', true],
        ['700.00', 'RESOLVED', 'MODIFY', true],
      ]
      deepEqual(await rows(), [...before, ['800.00', 'PENDING', null, false]])
      await stage.clock.advance(3_600_000)
      await stage.engine().runDue()
      deepEqual(await rows(), [...before, ['800.00', 'RESOLVED', 'EXPIRED', true]])
    }))

  it('finding 17f: no event is without a state, and no flow with a context it has left behind', () =>
    played(async (stage, all) => {
      const { flow, shown } = await refreshed(stage)
      const [session, ...more] = await all(ofFlow('context_session', flow))
      deepEqual(more, [])
      deepEqual(stateIn(session?.data), shown.at(-1)?.[1])
      equal(session?.updated_at, (await stage.flow(flow.dfid)).snapshot_at)
      const events = await all(`${ofFlow('decision_audit_events', flow)} ORDER BY id`)
      deepEqual(
        events.map(({ state }) => state),
        ['CREATED', 'REJECTED', 'REFRESHED', 'EXPLAINED'],
      )
    }, MARKET))
}

const TWO = { needs: 2, of: ['ann@example.com', 'bob@example.com'] }

const PRICE = 'market.price'
const MARKET: DeskOptions = {
  contract: { jit_verification: { drift_envelope: { price_pct: '0.5' } } },
  capability: {
    jit: () => ({ price: { path: PRICE, kind: 'telemetry' } }),
    jit_fields: ['price'],
  },
}

/** A flow whose agent was shown three prices: as it was opened, with a refusal, and when it asked. */
async function refreshed(
  stage: Desk,
): Promise<{ readonly flow: Flow; readonly shown: readonly (readonly [string, unknown])[] }> {
  const quote = async (value: string): Promise<void> => {
    await stage.clock.advance(1_000)
    await stage.runtime().observe({ path: PRICE, value })
    await stage.clock.advance(1_000)
  }
  await quote('99.50')
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 't', state: [PRICE] })
  const shown: (readonly [string, unknown])[] = [[flow.context.snapshot_id, ['99.50']]]
  await quote('101.20')
  equal((await flow.propose(refund())).reason_code, 'STATE_DRIFT_DETECTED')
  shown.push([flow.context.snapshot_id, ['101.20']])
  await quote('104.00')
  await flow.refresh()
  shown.push([flow.context.snapshot_id, ['104.00']])
  await flow.explain({ narrative: 'it rises' })
  return { flow, shown }
}

function stateIn(data: unknown): unknown {
  const { state } = JSON.parse(String(data)) as { state: { value: unknown }[] }
  return state.map(({ value }) => value)
}

function ofFlow(view: string, { dfid }: Flow): string {
  return `SELECT * FROM ${view} WHERE dfid = '${dfid}'`
}

function now({ clock }: Desk): string {
  return new Date(clock.now()).toISOString()
}
