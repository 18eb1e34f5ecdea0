import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Failure,
  formatInstant,
  type JsonObject,
  LIMITS,
  type Modification,
  type Result,
} from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'
import {
  ANN,
  BOB,
  codeOf,
  type Desk,
  desk,
  inside,
  lastOf,
  OWNER,
} from './escalation.test-support.ts'

async function onDesk(run: (stage: Desk) => Promise<void>, options = {}): Promise<void> {
  const stage = await desk(options)
  await run(stage)
  await stage.close()
}

async function assertVerified(stage: Desk): Promise<void> {
  const lines: string[] = []
  await stage.engine().checkpoint()
  await exportLedger(stage.engine().context.store, (line) => void lines.push(line))
  assert.deepEqual(verifyAny(lines.join(''), nodeCrypto).findings, [])
}

test('what a person overrides runs as it was shown, once, and the ledger says who let it', () =>
  onDesk(async (stage) => {
    const { flow, answer } = await stage.ask('800.00')
    assert.deepEqual(
      [answer.outcome, answer.disposition, answer.reason_code],
      ['ESCALATED', 'alert', 'AUTHORITY_CEILING'],
    )
    const { request, proposal } = await stage.waiting()
    assert.equal(request.impact, 'LOW_IMPACT')
    assert.equal(request.queue, 'exception')
    assert.deepEqual(stage.sent, [])

    const decided = await stage.decide()
    assert.ok(decided.ok)
    assert.deepEqual(
      [decided.value.outcome, decided.value.answer?.outcome],
      ['released', 'ACCEPTED'],
    )
    assert.deepEqual(stage.sent, ['800.00'])
    const row = await stage.flow(flow.dfid)
    assert.equal(row.state, 'CLOSED')
    const kinds = (await stage.entries(flow.dfid)).map(([kind]) => kind)
    assert.deepEqual(kinds, ['writ', 'pending_approval', 'approval', 'dispatch', 'commit'])
    const dispatch = await lastOf(stage, flow.dfid, 'dispatch')
    assert.deepEqual(dispatch.proposal, proposal, 'byte for byte what was shown')
    const approval = inside(inside(dispatch, 'intent'), 'approval')
    assert.deepEqual([approval.request_id, approval.approver], [request.id, 'ann@example.com'])
    const { body, vouched_by } = await lastOf(stage, flow.dfid, 'approval')
    assert.equal(vouched_by, 'operator')
    const { justification, acknowledged_impact } = body as JsonObject
    assert.deepEqual(
      [justification, acknowledged_impact],
      ['the customer is owed it', 'LOW_IMPACT'],
    )
  }))

test('an approval that is sent again finds its request decided, and nothing runs twice', () =>
  onDesk(async (stage) => {
    await stage.ask('800.00')
    const { request } = await stage.waiting()
    const twice = await Promise.all([
      stage.decide({}, ANN, request.id),
      stage.decide({}, BOB, request.id),
    ])
    assert.deepEqual(twice.map(codeOf).sort(), ['ESCALATION_DECIDED', 'ok'])
    assert.equal(codeOf(await stage.decide({}, ANN, request.id)), 'ESCALATION_DECIDED')
    assert.deepEqual(stage.sent, ['800.00'])
  }))

const WRONG: readonly (readonly [string, Parameters<Desk['decide']>, string])[] = [
  ['for other bytes', [{ intent_digest: `sha256:${'0'.repeat(64)}` }], 'APPROVAL_DIGEST_MISMATCH'],
  [
    'on other facts',
    [{ shown_snapshot: `sha256:${'0'.repeat(64)}` }],
    'APPROVAL_SNAPSHOT_MISMATCH',
  ],
  ['with a fourth word', [{ decision: 'APPROVE' as never }], 'DECISION_UNKNOWN'],
  ['with a member that nobody reads', [{ force: true } as never], 'DECISION_INVALID'],
  ['that lifts something else', [{ lifts: ['signature'] }], 'LIFT_UNKNOWN'],
  ['that lifts nothing', [{ lifts: [] }], 'LIFTS_INCOMPLETE'],
  ['without a reason', [{ justification: ' ' }], 'DECISION_UNJUSTIFIED'],
  ['that is over already', [{ valid_until: formatInstant(0) }], 'APPROVAL_WINDOW'],
]

for (const [what, [change], code] of WRONG) {
  test(`a decision ${what} is ${code}, and the request waits on`, () =>
    onDesk(async (stage) => {
      const { flow } = await stage.ask('800.00')
      assert.equal(codeOf(await stage.decide(change)), code)
      assert.equal((await stage.flow(flow.dfid)).state, 'ESCALATED')
      assert.deepEqual(stage.sent, [])
      assert.equal(codeOf(await stage.decide()), 'ok')
    }))
}

test('HIGH_IMPACT asks for a moment, for a typed word, and for somebody else than the owner', () =>
  onDesk(async (stage) => {
    await stage.ask('5000.00')
    const { request } = await stage.waiting()
    assert.deepEqual([request.impact, request.impact_reasons], ['HIGH_IMPACT', ['exposure']])
    await stage.clock.advance(LIMITS.highImpactDwellMs - 1)
    assert.equal(codeOf(await stage.decide()), 'DECISION_TOO_FAST')
    await stage.clock.advance(1)
    const low = { acknowledged_impact: 'LOW_IMPACT' } as const
    assert.equal(codeOf(await stage.decide(low)), 'IMPACT_UNACKNOWLEDGED')
    assert.equal(codeOf(await stage.decide({}, OWNER)), 'SELF_APPROVAL')
    assert.equal(codeOf(await stage.decide()), 'ok')
    assert.deepEqual(stage.sent, ['5000.00'])
  }))

const SELF = { contract: { safety_rules: { self_approval: 'allowed' } } }

test('where the contract allows it the owner approves HIGH_IMPACT, with the same care, and the record says so', () =>
  onDesk(async (stage) => {
    const { flow } = await stage.ask('5000.00')
    const { request } = await stage.waiting()
    assert.equal(request.self_approval, 'allowed')
    assert.equal(codeOf(await stage.decide({}, OWNER)), 'DECISION_TOO_FAST')
    await stage.clock.advance(LIMITS.highImpactDwellMs)
    const untyped = { acknowledgement: 'yes' }
    assert.equal(codeOf(await stage.decide(untyped, OWNER)), 'IMPACT_UNACKNOWLEDGED')
    assert.equal(codeOf(await stage.decide({}, OWNER)), 'ok')
    assert.deepEqual(stage.sent, ['5000.00'])
    assert.equal((await lastOf(stage, flow.dfid, 'approval')).self_approval, 'allowed')
    await assertVerified(stage)
  }, SELF))

test('no approval of somebody else, of a low impact, and no abort is called one of the owner for himself', () =>
  onDesk(async (stage) => {
    const isCalledSelf = async (dfid: string): Promise<boolean> =>
      'self_approval' in (await lastOf(stage, dfid, 'approval'))
    const { flow: low } = await stage.ask('800.00')
    assert.equal(codeOf(await stage.decide({}, OWNER)), 'ok')
    assert.equal(await isCalledSelf(low.dfid), false)
    const { flow: other } = await stage.ask('5000.00')
    await stage.clock.advance(LIMITS.highImpactDwellMs)
    assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
    assert.equal(await isCalledSelf(other.dfid), false)
    const { flow: aborted } = await stage.ask('5000.00')
    assert.equal(codeOf(await stage.decide({ decision: 'ABORT' }, OWNER)), 'ok')
    assert.equal(await isCalledSelf(aborted.dfid), false)
    await assertVerified(stage)
  }, SELF))

test('the owner may approve what has a low impact, and abort anything at once', () =>
  onDesk(async (stage) => {
    await stage.ask('800.00')
    assert.equal(codeOf(await stage.decide({}, OWNER)), 'ok')
    const { flow } = await stage.ask('5000.00')
    assert.equal(codeOf(await stage.decide({ decision: 'ABORT' }, OWNER)), 'ok')
    assert.equal((await stage.flow(flow.dfid)).state, 'ABORTED')
    assert.deepEqual(stage.sent, ['800.00'])
  }))

test('a request that nobody decides in time is a recorded abort, and too late for everybody', () =>
  onDesk(async (stage) => {
    const { flow } = await stage.ask('800.00')
    const { request } = await stage.waiting()
    await stage.clock.advance(LIMITS.approvalWindowMs.usual - 1)
    assert.equal((await stage.engine().runDue()).escalations, 0)
    await stage.clock.advance(1)
    assert.equal(codeOf(await stage.decide({}, ANN, request.id)), 'ESCALATION_EXPIRED')
    assert.equal((await stage.engine().runDue()).escalations, 1)
    const expired = await lastOf(stage, flow.dfid, 'approval')
    assert.equal(inside(expired, 'body').decision, 'EXPIRED')
    assert.equal((await stage.flow(flow.dfid)).state, 'ABORTED')
    assert.equal(codeOf(await stage.decide({}, ANN, request.id)), 'ESCALATION_DECIDED')
  }))

const NIGHT = { contract: { safety_rules: { approval_window_s: 57_600 } } }
const NIGHT_MS = 15 * 3_600_000

test('what is approved next morning runs where the contract leaves so long, and no longer', () =>
  onDesk(async (stage) => {
    await stage.ask('800.00')
    const { request } = await stage.waiting()
    await stage.clock.advance(NIGHT_MS)
    assert.equal((await stage.engine().runDue()).escalations, 0)
    assert.equal(codeOf(await stage.decide({}, ANN, request.id)), 'ok')
    assert.deepEqual(stage.sent, ['800.00'])
    await stage.ask('700.00')
    await stage.clock.advance(57_600_000 - 1)
    assert.equal((await stage.engine().runDue()).escalations, 0)
    await stage.clock.advance(1)
    assert.equal((await stage.engine().runDue()).escalations, 1)
    assert.deepEqual(stage.sent, ['800.00'])
    await assertVerified(stage)
  }, NIGHT))

test('what is approved next morning does not run on the authority of the evening', () =>
  onDesk(async (stage) => {
    const { flow } = await stage.ask('800.00')
    const { request } = await stage.waiting()
    await stage.clock.advance(NIGHT_MS)
    const stop = {
      agent_id: AGENT,
      to: 'SUSPENDED',
      actor: 'operator',
      justification: 'x',
    } as const
    assert.ok((await stage.engine().moveAgent(stop)).ok)
    await stage.decide({}, ANN, request.id)
    assert.deepEqual(stage.sent, [])
    assert.notEqual((await stage.flow(flow.dfid)).state, 'CLOSED')
  }, NIGHT))

test('a decision that time overtakes on its way into the record counts for nothing', async () => {
  for (const [slowMs, code] of [
    [60_000, 'APPROVAL_WINDOW'],
    [LIMITS.approvalWindowMs.usual, 'ESCALATION_EXPIRED'],
  ] as const) {
    let slow = 0
    const failpoints = {
      async reach(point: string): Promise<void> {
        const late = point === 'decide.before_commit' ? slow : 0
        slow = 0
        if (late > 0) await stage.clock.advance(late)
      },
    }
    const stage = await desk({ failpoints })
    const { flow } = await stage.ask('800.00')
    slow = slowMs
    assert.equal(codeOf(await stage.decide()), code)
    const kinds = (await stage.entries(flow.dfid)).map(([kind]) => kind)
    assert.deepEqual(kinds, ['writ', 'pending_approval'])
    await stage.close()
  }
})

test('a decision that authority overtakes is judged again: who turns out to be the owner approves nothing', async () => {
  let merging = false
  const named = async (name: string): Promise<string> =>
    (await stage.engine().people.find({ kind: 'name', name })) ?? assert.fail(name)
  const failpoints = {
    async reach(point: string): Promise<void> {
      if (!merging || point !== 'decide.before_commit') return
      merging = false
      const merged = await stage
        .engine()
        .people.merge(await named('ann@example.com'), await named('jane.doe@example.com'))
      assert.ok(merged.ok)
    },
  }
  const stage = await desk({ failpoints })
  await stage.ask('5000.00')
  await stage.clock.advance(LIMITS.highImpactDwellMs)
  merging = true
  assert.equal(codeOf(await stage.decide({}, ANN)), 'SELF_APPROVAL')
  assert.deepEqual(stage.sent, [])
  await stage.close()
})

test('a MODIFY runs what the person wrote, inside the contract of the agent', () =>
  onDesk(async (stage) => {
    const { flow } = await stage.ask('800.00')
    const { request } = await stage.waiting()
    const modified = { params: { order: 'o-1', amount: '600.00' } }
    const decided = await stage.decide({ decision: 'MODIFY', modified })
    assert.ok(decided.ok)
    assert.equal(decided.value.answer?.outcome, 'ACCEPTED')
    assert.deepEqual(stage.sent, ['600.00'])
    const dispatch = await lastOf(stage, flow.dfid, 'dispatch')
    assert.equal(inside(dispatch, 'proposal').supersedes, request.proposal_hash)
    const { auth } = inside(dispatch, 'facts')
    assert.deepEqual(auth, {
      kind: 'approval',
      request_id: request.id,
      approver: 'ann@example.com',
    })
  }))

test('a MODIFY beyond the contract is refused like any proposal, before it is given', () =>
  onDesk(async (stage) => {
    await stage.ask('800.00')
    const { outlook, digest } = await stage.judge('9000.01')
    assert.deepEqual([outlook.kind, digest], ['refused', null])
    assert.equal('code' in outlook && outlook.code, 'LIMIT_EXCEEDED')
    const modified = { params: { order: 'o-1', amount: '9000.01' } }
    assert.equal(
      codeOf(await stage.decide({ decision: 'MODIFY', modified })),
      'MODIFICATION_UNJUDGED',
    )
    assert.deepEqual(stage.sent, [])
    assert.equal((await stage.waiting()).request.dfid.length, 36, 'it still waits')
  }))

test('of what was judged for one person the latest few are kept, and others keep theirs', () =>
  onDesk(async (stage) => {
    await stage.ask('800.00')
    const bobs = await stage.judge('700.00', 'bob@example.com')
    const first = await stage.judge('601.00')
    for (let n = 2; n <= LIMITS.modificationsJudged + 1; n++) await stage.judge(`${600 + n}.00`)
    const { judged } = await stage.waiting()
    assert.equal(judged.length, LIMITS.modificationsJudged + 1)
    await stage.clock.advance(1)
    assert.equal((await stage.judge('700.00', 'BOB@example.com')).not_before, bobs.not_before)
    assert.notEqual((await stage.judge('601.00')).not_before, first.not_before, 'it was forgotten')
  }))

test('a MODIFY that was judged under one name and is given under another never spoils the ledger', () =>
  onDesk(async (stage) => {
    const { people } = stage.engine()
    const ann = (await people.find({ kind: 'name', name: 'ann@example.com' })) ?? assert.fail()
    assert.ok((await people.link(ann, { kind: 'name', name: 'ann.lee@example.com' })).ok)
    for (const principal of ['ANN@example.com', ' ann@example.com', 'ann.lee@example.com']) {
      await stage.ask('800.00')
      const { digest, impact } = await stage.judge('700.00', 'ann@example.com')
      const { params } = (await stage.waiting()).proposal as { readonly params: JsonObject }
      const modified = { params: { ...params, amount: '700.00' } }
      const modification = digest ?? assert.fail('it was judged')
      const said = {
        decision: 'MODIFY',
        modified,
        modification,
        acknowledged_impact: impact,
      } as const
      assert.equal(codeOf(await stage.decide(said, BOB)), 'MODIFICATION_UNJUDGED')
      assert.equal(codeOf(await stage.decide(said, { kind: 'person', principal })), 'ok')
    }
    assert.deepEqual(stage.sent, ['700.00', '700.00', '700.00'])
    await assertVerified(stage)
  }))

test('a modification, a decision or a proposal from inside is never longer than one from outside', () =>
  onDesk(async (stage) => {
    await stage.ask('800.00')
    const { request } = await stage.waiting()
    const modified = { params: { order: 'o-1', note: 'x'.repeat(LIMITS.json.bytes) } }
    const { oversight } = stage.engine()
    assert.equal(
      codeOf(await oversight.judgeModification(request.id, modified, ANN)),
      'DECISION_INVALID',
    )
    const said = { decision: 'MODIFY', modified, modification: request.intent_digest } as const
    assert.equal(codeOf(await stage.decide(said)), 'DECISION_INVALID')
    const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket 9' })
    const answer = await flow.propose({ policy_kind: 'REFUND', ...modified })
    assert.equal(answer.reason_code, 'BODY_TOO_LARGE')
  }))

test('nobody is judged for whom nobody knows', () =>
  onDesk(async (stage) => {
    await stage.ask('800.00')
    const { request } = await stage.waiting()
    const stranger = { kind: 'person', principal: 'dan' } as const
    const { oversight } = stage.engine()
    const said = await oversight.judgeModification(request.id, { params: {} }, stranger)
    assert.equal(codeOf(said), 'PERSON_UNKNOWN')
  }))

test('what waits no longer, or holds no proposal, is not judged', () =>
  onDesk(async (stage) => {
    const { flow } = await stage.ask('800.00')
    const { id } = (await stage.waiting()).request
    const judge = (modified: Modification): Promise<Result<unknown, Failure>> =>
      stage.engine().oversight.judgeModification(id, modified, ANN)
    assert.equal(codeOf(await judge([] as unknown as Modification)), 'DECISION_INVALID')
    await flow.cancel('not needed')
    await stage.engine().runDue()
    assert.equal(codeOf(await judge({ params: {} })), 'ESCALATION_DECIDED')
    const other = await stage.runtime().open({ agent: 'refunds_bot', trigger: 'ticket 9' })
    await other.escalate('lost')
    const { request } = await stage.waiting()
    const asked = await stage.engine().oversight.judgeModification(request.id, { params: {} }, ANN)
    assert.equal(codeOf(asked), 'MODIFICATION_IMPOSSIBLE')
  }))

test('a MODIFY lifts what it names: what it leaves asks again', () =>
  onDesk(async (stage) => {
    await stage.ask('800.00')
    const modified = { params: { order: 'o-1', amount: '600.00' } }
    const decided = await stage.decide({ decision: 'MODIFY', modified, lifts: [] })
    assert.ok(decided.ok)
    assert.equal(decided.value.answer?.outcome, 'ESCALATED')
    assert.deepEqual(stage.sent, [])
    assert.equal(codeOf(await stage.decide()), 'ok')
    assert.deepEqual(stage.sent, ['600.00'])
  }))

test('an ABORT ends the flow, and the agent only when it says so', () =>
  onDesk(async (stage) => {
    const { flow } = await stage.ask('800.00')
    assert.equal(codeOf(await stage.decide({ decision: 'ABORT' })), 'ok')
    assert.equal((await stage.flow(flow.dfid)).state, 'ABORTED')
    const next = await stage.ask('800.00')
    assert.equal(next.answer.outcome, 'ESCALATED', 'the agent goes on')
    assert.equal(codeOf(await stage.decide({ decision: 'ABORT', retire: true })), 'ok')
    const { statuses } = await stage.engine().context.authorities.loadLatest()
    assert.equal(statuses.get(AGENT), 'RETIRED')
  }))

test('two approvals are those of two people who say the same, of those that the contract names', () => {
  const approvers = { needs: 2, of: ['ann@example.com', 'bob@example.com'] }
  const contract = { safety_rules: { approvers } }
  return onDesk(
    async (stage) => {
      const { flow } = await stage.ask('800.00')
      assert.equal(codeOf(await stage.decide({}, OWNER)), 'APPROVER_UNKNOWN')
      const first = await stage.decide()
      assert.deepEqual(first.ok && [first.value.outcome, first.value.missing], ['waiting', 1])
      assert.equal(codeOf(await stage.decide()), 'APPROVER_REPEATED')
      const modified = { params: { order: 'o-1', amount: '600.00' } }
      const other = await stage.decide({ decision: 'MODIFY', modified }, BOB)
      assert.equal(codeOf(other), 'APPROVAL_DIVERGES')
      assert.deepEqual(stage.sent, [])
      assert.equal(codeOf(await stage.decide({}, BOB)), 'ok')
      assert.deepEqual(stage.sent, ['800.00'])
      const approvals = (await stage.entries(flow.dfid)).filter(([kind]) => kind === 'approval')
      assert.deepEqual(
        approvals.map(([, { releases }]) => releases === null),
        [true, false],
      )
    },
    { contract },
  )
})

test('a question of the agent is never answered by fewer people, or others, than its contract names', () => {
  const approvers = { needs: 2, of: ['ann@example.com', 'bob@example.com'] }
  const contract = { safety_rules: { approvers } }
  return onDesk(
    async (stage) => {
      const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket 9' })
      await flow.escalate('lost')
      const { request } = await stage.waiting()
      assert.deepEqual([request.kind, request.needs, request.approvers], ['asked', 2, approvers.of])
      assert.equal(codeOf(await stage.decide({}, OWNER)), 'APPROVER_UNKNOWN')
      const first = await stage.decide({}, ANN)
      assert.deepEqual(first.ok && [first.value.outcome, first.value.missing], ['waiting', 1])
      assert.equal((await stage.flow(flow.dfid)).state, 'ESCALATED')
      assert.equal(codeOf(await stage.decide({}, ANN)), 'APPROVER_REPEATED')
      const second = await stage.decide({}, BOB)
      assert.deepEqual(second.ok && [second.value.outcome, second.value.missing], ['sent_back', 0])
      assert.equal((await stage.flow(flow.dfid)).state, 'ACTIVE')
    },
    { contract },
  )
})

test('there is no request of that name', () =>
  onDesk(async (stage) => {
    const { request } = await stage.ask('800.00').then(() => stage.waiting())
    const { intent_digest, shown_snapshot } = request
    const bound = { intent_digest, shown_snapshot, justification: 'no', lifts: [] }
    const decided = stage
      .engine()
      .oversight.decideEscalation('nothing', { ...bound, decision: 'ABORT' }, ANN)
    assert.equal(codeOf(await decided), 'ESCALATION_UNKNOWN')
  }))
