import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from 'rubicon-kernel'
import type { Capability } from '../../../ports/capability.ts'
import type { DeclaredSource } from '../../../ports/fact-source.ts'
import {
  ANN,
  BOB,
  codeOf,
  type Desk,
  type DeskOptions,
  desk,
  LIMITS_OF_BOT,
} from '../escalation.test-support.ts'
import type { EscalationBrief } from './brief.ts'
import type { Onlooker } from './standing.ts'

const LOOKS: Onlooker = { name: 'ann@example.com', approver: true }
const CASH = 'till.cash'
const PRICE = 'market.price'
const CASHIER: DeclaredSource = { source_id: 'cashier', label: 'trusted', paths: [CASH, PRICE] }

/** A refund out of a till, which somebody counts. */
const FROM_TILL: Partial<Capability> = {
  reads: () => ({ state: [CASH] }),
  preview({ amount }, view) {
    const before = view.state(CASH)?.value ?? null
    const after = before === null ? null : String(Number(before) - Number(amount))
    return [{ subject: 'till', field: 'cash', before, after, unit: 'USD' }]
  },
}

async function onDesk(
  run: (stage: Desk) => Promise<void>,
  options: DeskOptions = {},
): Promise<void> {
  const stage = await desk({ sources: [CASHIER], ...options })
  await run(stage)
  await stage.close()
}

async function briefOf(stage: Desk, onlooker = LOOKS, id?: string): Promise<EscalationBrief> {
  const [first] = await stage.engine().oversight.escalations()
  const brief = await stage.engine().oversight.brief(id ?? first?.id ?? '', onlooker)
  return brief ?? assert.fail('nothing waits')
}

async function counts(stage: Desk, path: string, value: JsonValue): Promise<void> {
  await stage.clock.advance(1)
  await stage.runtime().observe({ path, value, source: 'cashier' })
}

test('what would happen is shown first: what is different afterwards, and that it would run', () =>
  onDesk(
    async (stage) => {
      await counts(stage, CASH, '9000')
      await stage.ask('800.00')
      const brief = await briefOf(stage)
      assert.deepEqual(
        [brief.action, brief.object, brief.impact, brief.reversible],
        ['REFUND', 'order o-1, amount 800.00', 'LOW_IMPACT', true],
      )
      assert.deepEqual(
        { ...brief.effect?.changes?.[0] },
        {
          subject: 'till',
          field: 'cash',
          before: '9000',
          after: '8200',
          unit: 'USD',
        },
      )
      assert.deepEqual(brief.outlook, { kind: 'runs' })
      assert.deepEqual(brief.why, [
        {
          id: 'limit:alone',
          code: 'AUTHORITY_CEILING',
          domain_code: null,
          means: 'a limit is exceeded, and the contract lets a person approve that',
          details: { limit: 'alone', checked: 'amount', value: '800', min: '0', max: '500' },
        },
      ])
      assert.deepEqual(brief.measures, { amount: '800.00' })
      const [fact] = brief.facts
      assert.deepEqual(
        [fact?.name, fact?.source, fact?.label, fact?.is, fact?.moved],
        [CASH, 'cashier', 'trusted', '9000', false],
      )
      assert.deepEqual(brief.asked_this_hour, { asked: 1, of: 3 })
      assert.deepEqual(brief.budgets, [
        { measure: 'calls', granted: '100', used: '0', after: '1', until: null },
      ])
      assert.deepEqual(brief.schema?.required, ['order', 'amount'])
      assert.equal(brief.acknowledge, null)
    },
    { capability: FROM_TILL },
  ))

test('a fact that moves is named, and whoever decides on the old one is refused', () =>
  onDesk(
    async (stage) => {
      await counts(stage, CASH, '9000')
      await stage.ask('800.00')
      const before = await briefOf(stage)
      await counts(stage, CASH, '850')
      const after = await briefOf(stage)
      const { was, is, moved } = after.facts[0] ?? assert.fail()
      assert.deepEqual([was, is, moved], ['9000', '850', true])
      assert.equal(after.effect?.changes?.[0]?.after, '50')
      const stale = await stage.decide({ shown_facts: before.binds.shown_facts })
      assert.equal(codeOf(stale), 'APPROVAL_SNAPSHOT_MISMATCH')
      assert.deepEqual(stale.ok ? null : stale.error.meta, {
        shown_facts: after.binds.shown_facts,
        moved: [{ layer: 'state', name: CASH, was: '9000', is: '850' }],
      })
      assert.deepEqual(stage.sent, [])
      assert.equal(codeOf(await stage.decide({ shown_facts: after.binds.shown_facts })), 'ok')
      assert.deepEqual(stage.sent, ['800.00'])
    },
    { capability: FROM_TILL },
  ))

test('what is ended may be ended on any facts', () =>
  onDesk(
    async (stage) => {
      await counts(stage, CASH, '9000')
      await stage.ask('800.00')
      const { binds } = await briefOf(stage)
      await counts(stage, CASH, '1')
      const abort = { decision: 'ABORT', lifts: [], shown_facts: binds.shown_facts } as const
      assert.equal(codeOf(await stage.decide(abort)), 'ok')
    },
    { capability: FROM_TILL },
  ))

const PRICED: DeskOptions = {
  contract: {
    permissions: { policy_kinds: ['REFUND'], limits: LIMITS_OF_BOT },
    jit_verification: { drift_envelope: { price_pct: '1' } },
  },
  capability: { jit_fields: ['price'], jit: () => ({ price: { path: PRICE, kind: 'telemetry' } }) },
}

test('a value that the law lets move moves under nobody; beyond that it would not run', () =>
  onDesk(async (stage) => {
    await counts(stage, PRICE, '100.00')
    await stage.ask('800.00', {}, { state: [PRICE] })
    const before = await briefOf(stage)
    await counts(stage, PRICE, '100.90')
    const within = await briefOf(stage)
    assert.deepEqual([within.facts[0]?.is, within.facts[0]?.moved], ['100.90', false])
    assert.equal(within.binds.shown_facts, before.binds.shown_facts)
    await counts(stage, PRICE, '101.10')
    const beyond = await briefOf(stage)
    assert.equal(beyond.facts[0]?.moved, true)
    assert.notEqual(beyond.binds.shown_facts, before.binds.shown_facts)
    const { outlook } = beyond
    assert.equal(outlook?.kind === 'refused' && outlook.code, 'STATE_DRIFT_DETECTED')
  }, PRICED))

test('facts that cannot be read are as they were, nothing would run, and nothing is approved', () => {
  let isDown = false
  const line: DeclaredSource = {
    ...CASHIER,
    async read() {
      if (isDown) throw new Error('the line is dead')
      return []
    },
  }
  return onDesk(
    async (stage) => {
      await counts(stage, CASH, '9000')
      await stage.ask('800.00')
      isDown = true
      const { outlook, facts, binds } = await briefOf(stage)
      assert.equal(outlook?.kind === 'refused' && outlook.code, 'STATE_UNAVAILABLE')
      assert.deepEqual([facts[0]?.was, facts[0]?.is], ['9000', '9000'])
      const decided = await stage.decide({ shown_facts: binds.shown_facts })
      assert.equal(codeOf(decided), 'STATE_UNAVAILABLE')
    },
    { capability: FROM_TILL, sources: [line] },
  )
})

test('where the capability cannot tell what changes, nobody guesses', async () => {
  const previews: readonly Partial<Capability>[] = [
    {},
    {
      preview() {
        throw new Error('no idea')
      },
    },
    { preview: () => [{ subject: 'till', field: 'cash' }] as never },
    { preview: () => 'a lot' as never },
    { preview: () => [{ subject: 's', field: 'f', before: Number.NaN, after: 1 }] },
    {
      preview: () =>
        Array.from({ length: 33 }, () => ({ subject: 's', field: 'f', before: 1, after: 2 })),
    },
  ]
  for (const capability of previews)
    await onDesk(
      async (stage) => {
        await stage.ask('800.00')
        const { effect } = await briefOf(stage)
        assert.equal(effect?.changes, null)
        assert.equal(effect?.params.amount, '800.00')
      },
      { capability },
    )
})

test('what the agent says stands apart, and so do its words where it asks for a person', () =>
  onDesk(async (stage) => {
    const flow = await stage.runtime().open({ agent: 'refunds_bot', trigger: 'ticket 7' })
    const { explain_ref } = await flow.explain({ narrative: 'it is owed', risks: ['none'] })
    await flow.propose({
      policy_kind: 'REFUND',
      params: { order: 'o', amount: '800.00' },
      justification: 'trust me',
      confidence: 0.9,
      explain_ref,
    })
    assert.deepEqual((await briefOf(stage)).claims, {
      trigger: 'ticket 7',
      justification: 'trust me',
      confidence: '0.9',
      explanation: { narrative: 'it is owed', identified_signals: [], risks: ['none'] },
      asks: null,
    })
    await stage.decide({ decision: 'ABORT', lifts: [] })
    const other = await stage.runtime().open({ agent: 'refunds_bot', trigger: 'ticket 8' })
    await other.escalate('I am <b>lost</b>')
    const asked = await briefOf(stage)
    assert.deepEqual([asked.kind, asked.effect, asked.schema], ['asked', null, null])
    assert.equal(asked.claims.asks, 'I am <b>lost</b>')
    assert.deepEqual(asked.why[0]?.details, {})
    assert.equal(asked.may.MODIFY, 'MODIFICATION_IMPOSSIBLE')
  }))

test('HIGH_IMPACT asks for words, which are derived from what would run', () =>
  onDesk(async (stage) => {
    await stage.ask('2500.00')
    const { acknowledge, not_before, requested_at, may, impact_reasons } = await briefOf(stage)
    assert.equal(acknowledge, 'REFUND 2500')
    assert.deepEqual(impact_reasons, ['exposure'])
    assert.equal(Date.parse(not_before) - Date.parse(requested_at), 10_000)
    assert.deepEqual(may, { OVERRIDE: null, MODIFY: null, ABORT: null }, 'when it was read')
    const owner = { name: 'jane.doe@example.com', approver: true }
    const own = await briefOf(stage, owner)
    assert.deepEqual(own.may, { OVERRIDE: 'SELF_APPROVAL', MODIFY: null, ABORT: null })
    const auditor = await briefOf(stage, { name: 'cyd', approver: false })
    assert.equal(auditor.may.ABORT, 'ROLE_MISSING')
  }))

test('the owner is offered what the contract lets him approve', () =>
  onDesk(
    async (stage) => {
      await stage.ask('2500.00')
      const own = await briefOf(stage, { name: 'jane.doe@example.com', approver: true })
      assert.deepEqual(own.may, { OVERRIDE: null, MODIFY: null, ABORT: null })
    },
    { contract: { safety_rules: { self_approval: 'allowed' } } },
  ))

test('where several have to agree, it says who has, and that nobody counts twice', () =>
  onDesk(
    async (stage) => {
      await stage.ask('800.00')
      assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
      const { may, decisions, needs } = await briefOf(stage)
      assert.equal(needs, 2)
      assert.equal(may.OVERRIDE, 'APPROVER_REPEATED')
      assert.deepEqual(
        decisions.map(({ approver, decision }) => [approver, decision]),
        [['ann@example.com', 'OVERRIDE']],
      )
      assert.equal((await briefOf(stage, { name: BOB_NAME, approver: true })).may.OVERRIDE, null)
      const stranger = await briefOf(stage, { name: 'cyd', approver: true })
      assert.equal(stranger.may.ABORT, 'APPROVER_UNKNOWN')
      assert.equal(codeOf(await stage.decide({}, BOB)), 'ok')
    },
    {
      contract: {
        safety_rules: { approvers: { needs: 2, of: ['ann@example.com', 'bob@example.com'] } },
        permissions: { policy_kinds: ['REFUND'], limits: LIMITS_OF_BOT },
      },
    },
  ))

const BOB_NAME = 'bob@example.com'

test('finding 29a: an approval that authority would stop is not offered, and refused where it is given', () =>
  onDesk(async (stage) => {
    await stage.ask('800.00')
    await stage.engine().moveAgent({
      agent_id: 'refunds_bot',
      to: 'SUSPENDED',
      actor: 'operator',
      justification: 'odd',
    })
    const { outlook, may, binds } = await briefOf(stage)
    assert.equal(outlook?.kind === 'refused' && outlook.code, 'AGENT_SUSPENDED')
    assert.deepEqual(may, { OVERRIDE: 'AGENT_SUSPENDED', MODIFY: null, ABORT: null })
    const given = await stage.decide({ shown_facts: binds.shown_facts })
    assert.equal(codeOf(given), 'AGENT_SUSPENDED')
    assert.equal((await briefOf(stage)).state, 'open')
    const { may: looking } = await briefOf(stage, { ...LOOKS, approver: false })
    assert.equal(looking.OVERRIDE, 'ROLE_MISSING', 'who may not comes first')
  }))

test('what was decided about the like of it is counted, with how long that took', () =>
  onDesk(
    async (stage) => {
      const decide = async (wait: number, change = {}): Promise<void> => {
        await stage.ask('800.00')
        await stage.clock.advance(wait)
        assert.equal(codeOf(await stage.decide(change)), 'ok')
      }
      await decide(1_000)
      await decide(9_000)
      await decide(3_000, { decision: 'ABORT', lifts: [] })
      const params = { order: 'o-x', amount: '30.00' }
      await decide(5_000, { decision: 'MODIFY', modified: { params } })
      await stage.ask('700.00')
      await stage.clock.advance(3_600_000)
      await stage.engine().runDue()
      await stage.ask('900.00')
      assert.deepEqual((await briefOf(stage)).before, {
        overridden: 2,
        modified: 1,
        aborted: 1,
        expired: 1,
        median_ms: 5_000,
      })
      await stage.clock.advance(3_000_000)
      await stage.decide()
      await stage.clock.advance(2_592_000_000)
      await stage.ask('900.00')
      assert.equal((await briefOf(stage)).before.overridden, 0, 'after 30 days it says nothing')
    },
    {
      contract: {
        safety_rules: { escalations_per_hour: 100 },
        permissions: { policy_kinds: ['REFUND'], limits: LIMITS_OF_BOT },
      },
    },
  ))

test('what is decided stays to be read, as it was, with who decided it', () =>
  onDesk(
    async (stage) => {
      await counts(stage, CASH, '9000')
      await stage.ask('800.00')
      const { id } = await briefOf(stage)
      assert.equal(codeOf(await stage.decide()), 'ok')
      await counts(stage, CASH, '8200')
      const brief = await briefOf(stage, LOOKS, id)
      assert.deepEqual([brief.state, brief.ended?.as, brief.outlook], ['closed', 'released', null])
      assert.deepEqual([brief.facts[0]?.is, brief.facts[0]?.moved], ['9000', false])
      assert.equal(brief.decisions[0]?.justification, 'the customer is owed it')
      assert.equal(brief.may.OVERRIDE, 'ESCALATION_DECIDED')
      assert.equal(await stage.engine().oversight.brief('none', LOOKS), null)
    },
    { capability: FROM_TILL },
  ))
