import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { CLAIM } from '../rows/stored-escalation.ts'
import type { Onlooker } from './brief/standing.ts'
import { ANN, BOB, codeOf, type Desk, type DeskOptions, desk } from './escalation.test-support.ts'

const ann: Onlooker = { name: 'ann@example.com', approver: true }
const bob: Onlooker = { name: 'bob@example.com', approver: true }

async function onDesk(
  run: (stage: Desk, id: string) => Promise<void>,
  options: DeskOptions = {},
): Promise<void> {
  const stage = await desk(options)
  await stage.ask('600.00')
  await run(stage, (await stage.waiting()).request.id)
  await stage.close()
}

async function counts(stage: Desk, who: Onlooker): Promise<readonly number[]> {
  const { waiting } = await stage.engine().oversight.inbox({ tab: 'fast', limit: 10 }, who)
  return [waiting.fast, waiting.team]
}

async function holder(stage: Desk, id: string): Promise<string | null> {
  return (await stage.engine().oversight.brief(id, bob))?.claimed?.by ?? null
}

test('what somebody claims stays with them, and is the team\u2019s for everybody else', () =>
  onDesk(async (stage, id) => {
    const { oversight } = stage.engine()
    const leaves = await stage.engine().context.store.countLeaves()
    const claim = await oversight.claimEscalation(id, ann)
    assert.ok(claim.ok)
    assert.equal(Date.parse(claim.value.until) - Date.parse(claim.value.since), LIMITS.claimMs)
    assert.deepEqual(await counts(stage, ann), [1, 0])
    assert.deepEqual(await counts(stage, bob), [0, 1])
    const { claimed } = await oversight.inbox({ tab: 'team', limit: 10 }, bob)
    assert.deepEqual(claimed, [{ id, ...claim.value, yours: false }])
    // It is kept beside the ledger.
    assert.equal(await stage.engine().context.store.countLeaves(), leaves)
  }))

test('a claim keeps nobody from deciding, and ends with the request (C1)', () =>
  onDesk(async (stage, id) => {
    const before = await stage.engine().context.store.readRecord('escalation', 'open', id)
    assert.ok((await stage.engine().oversight.claimEscalation(id, ann)).ok)
    const { store } = stage.engine().context
    assert.equal((await store.readRecord('escalation', 'open', id))?.version, before?.version)
    assert.equal(codeOf(await stage.decide({}, BOB)), 'ok')
    assert.deepEqual(stage.sent, ['600.00'])
    assert.equal(await store.readRecord(CLAIM.record, CLAIM.group, id), null)
    assert.equal(
      codeOf(await stage.engine().oversight.claimEscalation(id, ann)),
      'ESCALATION_DECIDED',
    )
  }))

test('a claim ends with a request that expires', () =>
  onDesk(async (stage, id) => {
    assert.ok((await stage.engine().oversight.claimEscalation(id, ann)).ok)
    await stage.clock.advance(LIMITS.approvalWindowMs.usual)
    await stage.engine().runDue()
    const { store } = stage.engine().context
    assert.equal(await store.readRecord(CLAIM.record, CLAIM.group, id), null)
  }))

test('a claim ends by itself, not a moment sooner; whoever claims again has it longer (C2)', () =>
  onDesk(async (stage, id) => {
    const { oversight } = stage.engine()
    const first = await oversight.claimEscalation(id, ann)
    assert.ok(first.ok)
    await stage.clock.advance(LIMITS.claimMs - 1)
    assert.equal(await holder(stage, id), ann.name)
    const second = await oversight.claimEscalation(id, { ...ann, name: 'Ann@Example.com' })
    assert.ok(second.ok)
    assert.equal(second.value.since, first.value.since)
    await stage.clock.advance(LIMITS.claimMs - 1)
    assert.equal(await holder(stage, id), 'Ann@Example.com')
    await stage.clock.advance(1)
    assert.equal(await holder(stage, id), null)
    assert.deepEqual(await counts(stage, bob), [1, 0])
    assert.ok((await oversight.claimEscalation(id, bob)).ok)
  }))

test('whoever has approved has nothing more to look after (C2)', () =>
  onDesk(
    async (stage, id) => {
      assert.ok((await stage.engine().oversight.claimEscalation(id, ann)).ok)
      assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
      assert.equal(await holder(stage, id), null)
      assert.deepEqual(await counts(stage, ann), [0, 1])
      assert.deepEqual(await counts(stage, bob), [1, 0])
    },
    {
      contract: {
        safety_rules: { approvers: { needs: 2, of: ['ann@example.com', 'bob@example.com'] } },
      },
    },
  ))

test('a claim is taken over or ended only by the name of who has it (C3)', () =>
  onDesk(async (stage, id) => {
    const { oversight } = stage.engine()
    assert.ok((await oversight.claimEscalation(id, ann)).ok)
    assert.equal(codeOf(await oversight.claimEscalation(id, bob)), 'ESCALATION_CLAIMED')
    assert.equal(codeOf(await oversight.claimEscalation(id, bob, 'cyd')), 'ESCALATION_CLAIMED')
    assert.equal(codeOf(await oversight.releaseClaim(id, bob)), 'ESCALATION_CLAIMED')
    assert.equal(await holder(stage, id), ann.name)
    assert.ok((await oversight.claimEscalation(id, bob, ann.name)).ok)
    assert.equal(await holder(stage, id), bob.name)
    const released = await oversight.releaseClaim(id, bob)
    assert.equal(released.ok ? released.value?.by : '', bob.name)
    assert.deepEqual(await oversight.releaseClaim(id, bob), { ok: true, value: null })
    assert.deepEqual(await counts(stage, ann), [1, 0])
  }))

test('of two who claim at once one has it', () =>
  onDesk(async (stage, id) => {
    const { oversight } = stage.engine()
    const said = await Promise.all([ann, bob].map((who) => oversight.claimEscalation(id, who)))
    assert.deepEqual(said.map(codeOf).sort(), ['ESCALATION_CLAIMED', 'ok'])
  }))

test('whoever could decide nothing about it claims nothing', () =>
  onDesk(
    async (stage, id) => {
      const { oversight } = stage.engine()
      const cyd = { name: 'cyd', approver: true }
      assert.equal(codeOf(await oversight.claimEscalation(id, cyd)), 'APPROVER_UNKNOWN')
      const clerk = { ...ann, approver: false }
      assert.equal(codeOf(await oversight.claimEscalation(id, clerk)), 'ROLE_MISSING')
      assert.equal(codeOf(await oversight.claimEscalation('none', ann)), 'ESCALATION_UNKNOWN')
      assert.equal(await holder(stage, id), null)
    },
    { contract: { safety_rules: { approvers: { needs: 1, of: ['ann@example.com'] } } } },
  ))

test('what somebody gives to another is that one\u2019s until it ends, and says who gave it', () =>
  onDesk(async (stage, id) => {
    const { oversight } = stage.engine()
    const given = await oversight.assignEscalation(id, ann, bob.name)
    assert.ok(given.ok, JSON.stringify(given))
    const { by, given_by, yours, until } = given.value
    assert.deepEqual([by, given_by, yours], [bob.name, ann.name, false])
    assert.equal(until, (await stage.waiting()).request.expires_at)
    assert.deepEqual(await counts(stage, bob), [1, 0])
    assert.deepEqual(await counts(stage, ann), [0, 1])
    await stage.clock.advance(LIMITS.claimMs)
    assert.equal(await holder(stage, id), bob.name, 'whoever is given it may not be there yet')
    const own = await oversight.claimEscalation(id, bob)
    assert.ok(own.ok)
    assert.deepEqual([own.value.until, own.value.given_by], [until, ann.name])
    assert.equal(codeOf(await stage.decide({}, ANN)), 'ok', 'it keeps nobody from deciding')
  }))

test('a request is given only to somebody whom somebody knows, and who could decide it', () =>
  onDesk(
    async (stage, id) => {
      const { oversight } = stage.engine()
      assert.equal(codeOf(await oversight.assignEscalation(id, ann, 'cyd')), 'APPROVER_UNKNOWN')
      assert.equal(codeOf(await oversight.assignEscalation(id, ann, 'nobody')), 'PERSON_UNKNOWN')
      const cyd = { name: 'cyd', approver: true }
      assert.equal(codeOf(await oversight.assignEscalation(id, cyd, ann.name)), 'APPROVER_UNKNOWN')
      const clerk = { ...bob, approver: false }
      assert.equal(codeOf(await oversight.assignEscalation(id, clerk, ann.name)), 'ROLE_MISSING')
      assert.equal(await holder(stage, id), null)
      assert.ok((await oversight.claimEscalation(id, ann)).ok)
      const taken = await oversight.assignEscalation(id, bob, bob.name)
      assert.equal(codeOf(taken), 'ESCALATION_CLAIMED')
      const own = await oversight.assignEscalation(id, bob, bob.name, ann.name)
      assert.ok(own.ok)
      assert.deepEqual([own.value.yours, own.value.given_by], [true, undefined], 'taken, not given')
    },
    {
      contract: {
        safety_rules: { approvers: { needs: 1, of: ['ann@example.com', 'bob@example.com'] } },
      },
    },
  ))
