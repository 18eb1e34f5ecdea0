import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import type { Onlooker } from './brief/standing.ts'
import {
  BOB,
  codeOf,
  type Desk,
  type DeskOptions,
  desk,
  LIMITS_OF_BOT,
} from './escalation.test-support.ts'
import type { Inbox, InboxQuestion, InboxTab } from './inbox.ts'

const LOOKS: Onlooker = { name: 'ann@example.com', approver: true }

async function onDesk(
  run: (stage: Desk) => Promise<void>,
  options: DeskOptions = {},
): Promise<void> {
  const patient: JsonObject = { escalations_per_hour: 1_000 }
  const stage = await desk({
    ...options,
    contract: {
      permissions: { policy_kinds: ['REFUND'], limits: LIMITS_OF_BOT },
      safety_rules: patient,
      ...options.contract,
    },
  })
  await run(stage)
  await stage.close()
}

function look(
  stage: Desk,
  tab: InboxTab,
  who = LOOKS,
  more: Partial<InboxQuestion> = {},
): Promise<Inbox> {
  return stage.engine().oversight.inbox({ tab, limit: 10, ...more }, who)
}

function objects({ requests }: Inbox): readonly (string | null)[] {
  return requests.map(({ object }) => object)
}

test('what takes a look is apart from what takes a thought, and what ends first comes first', () =>
  onDesk(async (stage) => {
    await stage.ask('2500.00')
    await stage.ask('600.00')
    await stage.ask('3000.00')
    const mine = await look(stage, 'mine')
    assert.deepEqual(mine.waiting, { mine: 2, fast: 1, team: 0 })
    assert.deepEqual(objects(mine), ['order o-1, amount 2500.00', 'order o-3, amount 3000.00'])
    const [row] = mine.requests
    assert.deepEqual(
      [row?.action, row?.impact, row?.reason_code, row?.exposure?.value],
      ['REFUND', 'HIGH_IMPACT', 'AUTHORITY_CEILING', '2500.00'],
    )
    assert.deepEqual(objects(await look(stage, 'fast')), ['order o-2, amount 600.00'])
    assert.deepEqual([mine.more, mine.next, mine.under_review], [false, null, 0])
  }))

test('what somebody else decides is the team\u2019s: by role, by list, by owner, by having approved', () =>
  onDesk(
    async (stage) => {
      await stage.ask('600.00')
      const counts = async (who: Onlooker): Promise<Inbox['waiting']> =>
        (await look(stage, 'team', who)).waiting
      assert.deepEqual(await counts(LOOKS), { mine: 0, fast: 1, team: 0 })
      const team = { mine: 0, fast: 0, team: 1 }
      assert.deepEqual(await counts({ ...LOOKS, approver: false }), team)
      assert.deepEqual(await counts({ name: 'cyd', approver: true }), team)
      assert.equal(codeOf(await stage.decide({}, BOB)), 'ok')
      assert.deepEqual(await counts({ name: 'Bob@example.com', approver: true }), team)
      const owner = { name: 'jane.doe@example.com', approver: true }
      await stage.ask('2500.00')
      assert.deepEqual(await counts(owner), { mine: 0, fast: 1, team: 1 })
    },
    {
      contract: {
        safety_rules: {
          escalations_per_hour: 1_000,
          approvers: {
            needs: 2,
            of: ['ann@example.com', 'bob@example.com', 'jane.doe@example.com'],
          },
        },
      },
    },
  ))

test('an agent that asks for a person takes more than a key', () =>
  onDesk(async (stage) => {
    const flow = await stage.runtime().open({ agent: 'refunds_bot', trigger: 'lost' })
    await flow.escalate('which of them?')
    const { requests, waiting } = await look(stage, 'mine')
    assert.deepEqual(waiting, { mine: 1, fast: 0, team: 0 })
    assert.deepEqual([requests[0]?.kind, requests[0]?.action], ['asked', null])
  }))

test('what is decided and what expired are apart, newest first', () =>
  onDesk(async (stage) => {
    for (const amount of ['600.00', '700.00']) {
      await stage.ask(amount)
      assert.equal(codeOf(await stage.decide()), 'ok')
    }
    await stage.ask('800.00')
    await stage.clock.advance(3_600_000)
    await stage.engine().runDue()
    const decided = await look(stage, 'decided')
    assert.deepEqual(objects(decided), ['order o-2, amount 700.00', 'order o-1, amount 600.00'])
    assert.equal(decided.requests[0]?.ended?.as, 'released')
    assert.deepEqual(decided.requests[0]?.decided, {
      decision: 'OVERRIDE',
      by: 'ann@example.com',
    })
    const expired = await look(stage, 'expired')
    assert.deepEqual(objects(expired), ['order o-3, amount 800.00'])
    assert.equal(expired.requests[0]?.ended?.as, 'expired')
    assert.equal(expired.requests[0]?.decided, null)
  }))

test('an abort says who aborted it', () =>
  onDesk(async (stage) => {
    await stage.ask('600.00')
    assert.equal(codeOf(await stage.decide({ decision: 'ABORT', lifts: [] }, BOB)), 'ok')
    const { requests } = await look(stage, 'decided')
    assert.deepEqual(requests[0]?.decided, { decision: 'ABORT', by: 'bob@example.com' })
  }))

test('pages follow each other without a gap, whatever is decided in between', () =>
  onDesk(async (stage) => {
    for (const amount of ['601.00', '602.00', '603.00', '604.00']) await stage.ask(amount)
    const first = await look(stage, 'fast', LOOKS, { limit: 2 })
    assert.deepEqual(first.requests.length, 2)
    const last = first.requests.at(-1) ?? assert.fail()
    assert.equal(codeOf(await stage.decide({}, BOB, last.id)), 'ok')
    const cursor = first.next ?? assert.fail('there is more')
    const second = await look(stage, 'fast', LOOKS, { limit: 2, cursor })
    assert.deepEqual(objects(second), ['order o-3, amount 603.00', 'order o-4, amount 604.00'])
    assert.equal(second.next, null)
    for (const { id } of second.requests) await stage.decide({}, BOB, id)
    const newest = await look(stage, 'decided', LOOKS, { limit: 2 })
    const older = await look(stage, 'decided', LOOKS, { limit: 2, cursor: newest.next ?? '' })
    assert.deepEqual(objects(older), ['order o-2, amount 602.00'])
    assert.equal(older.next, null)
  }))

test('words of an agent are cut to the length of a row', () =>
  onDesk(async (stage) => {
    const params = { order: '\u{1f4a3}'.repeat(200), amount: '600.00' }
    await stage.ask('600.00', { params })
    const [object] = objects(await look(stage, 'fast'))
    assert.equal([...(object ?? '')].length, 81)
    assert.ok(object?.isWellFormed())
  }))
