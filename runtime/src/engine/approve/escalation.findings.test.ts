/** What broke release 0.2.0 where somebody is asked: who may decide, and what they decide about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EscalationDecision, type JsonObject, LIMITS } from 'rubicon-kernel'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import {
  ANN,
  BOB,
  codeOf,
  type Desk,
  type DeskOptions,
  desk,
  inside,
  lastOf,
  OWNER,
} from './escalation.test-support.ts'
import { answering, LEAD, leadContract } from './family.test-support.ts'

/** The child asks above 500; the agent above it may do up to `most` itself. */
async function family(most: string, options: DeskOptions = {}): Promise<Desk> {
  const { contract = {}, ...rest } = options
  const stage = await desk({ ...rest, contract: { parent_agent: LEAD, ...contract } })
  await stage.runtime().deploy(leadContract(LEAD, most))
  return stage
}

test('finding 8c: an agent never takes the place of approvers that the contract names', async () => {
  const { safety_rules } = CONTRACT as { readonly safety_rules?: JsonObject }
  for (const approvers of [
    { needs: 2, of: ['ann@example.com', 'bob@example.com'] },
    { needs: 1, of: ['ann@example.com'] },
  ]) {
    const stage = await family('9000.00', {
      contract: { safety_rules: { ...safety_rules, approvers } },
    })
    answering(stage, LEAD)
    const { answer } = await stage.ask('800.00')
    assert.equal(answer.disposition, 'alert', 'a person is asked')
    const { request } = await stage.waiting()
    assert.equal(request.channel, 'operator')
    const lead = { kind: 'agent', agent_id: LEAD, dfid: request.dfid } as const
    assert.equal(codeOf(await stage.decide({}, lead)), 'PARENT_NOT_ASKED')
    assert.deepEqual(stage.sent, [])
    assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
    if (approvers.needs === 2) assert.equal(codeOf(await stage.decide({}, BOB)), 'ok')
    assert.deepEqual(stage.sent, ['800.00'])
    await stage.close()
  }
})

test('finding 11a: what the capability does not call reversible is not kept from the parent', async () => {
  const stage = await family('1000.00', { unrated: true })
  const { decided } = answering(stage, LEAD)
  const { answer } = await stage.ask('800.00')
  assert.equal(answer.disposition, 'delegation')
  await decided()
  assert.deepEqual(stage.sent, ['800.00'])
  await stage.close()
})

test('finding 11a: a person still takes care with it, and a risky one goes to no agent', async () => {
  const stage = await family('1000.00', { unrated: true })
  await stage.ask('800.00')
  await stage.clock.advance(LIMITS.parentMs)
  await stage.engine().runDue()
  const { request } = await stage.waiting()
  assert.deepEqual([request.channel, request.impact], ['operator', 'HIGH_IMPACT'])
  assert.equal(codeOf(await stage.decide()), 'DECISION_TOO_FAST', 'the person was asked just now')
  await stage.clock.advance(LIMITS.highImpactDwellMs)
  assert.equal(codeOf(await stage.decide({ acknowledgement: 'yes' })), 'IMPACT_UNACKNOWLEDGED')
  assert.equal(codeOf(await stage.decide()), 'ok')
  await stage.close()
  const risky = await family('1000.00', { unrated: true, capability: { risk: 'high' } })
  assert.equal((await risky.ask('800.00')).answer.disposition, 'alert')
  await risky.close()
})

const modify = (amount: string): Partial<EscalationDecision> => ({
  decision: 'MODIFY',
  modified: { params: { order: 'o-1', amount } },
})

test('finding 8b: a parent never changes a request into one of a higher impact', async () => {
  const stage = await family('9000.00')
  const { decided } = answering(stage, LEAD, modify('4500.00'))
  await stage.ask('800.00')
  await decided()
  assert.deepEqual(stage.sent, [])
  const { request } = await stage.waiting()
  assert.equal(request.channel, 'operator', 'a person sees it')
  await stage.close()
})

test('finding 8a: whoever makes more of a request owes the care that more asks for', async () => {
  const stage = await desk()
  const { flow } = await stage.ask('600.00')
  assert.equal((await stage.waiting()).request.impact, 'LOW_IMPACT')
  const more = modify('8999.00')
  const guessed = { ...more, modification: `sha256:${'0'.repeat(64)}` }
  for (const by of [OWNER, ANN])
    assert.equal(codeOf(await stage.decide(guessed, by)), 'MODIFICATION_UNJUDGED')
  assert.equal(codeOf(await stage.decide(more, OWNER)), 'SELF_APPROVAL')
  assert.equal(codeOf(await stage.decide(more, ANN)), 'DECISION_TOO_FAST')
  const judged = await stage.judge('8999.00')
  assert.deepEqual(
    [judged.impact, judged.impact_reasons, judged.outlook.kind],
    ['HIGH_IMPACT', ['exposure'], 'runs'],
  )
  await stage.clock.advance(LIMITS.highImpactDwellMs - 1)
  assert.equal((await stage.judge('8999.00')).not_before, judged.not_before, 'it began then')
  assert.equal(codeOf(await stage.decide(more, ANN)), 'DECISION_TOO_FAST')
  await stage.clock.advance(1)
  assert.equal(codeOf(await stage.decide(more, BOB)), 'DECISION_TOO_FAST', 'Bob reads it just now')
  const untyped = { ...more, acknowledgement: 'REFUND 600' }
  assert.equal(codeOf(await stage.decide(untyped, ANN)), 'IMPACT_UNACKNOWLEDGED')
  const { digest } = await stage.judge('8998.00')
  const another = { ...more, modification: digest ?? '' }
  assert.equal(codeOf(await stage.decide(another, ANN)), 'MODIFICATION_UNJUDGED')
  assert.deepEqual(stage.sent, [])
  assert.equal(codeOf(await stage.decide(more, ANN)), 'ok')
  assert.deepEqual(stage.sent, ['8999.00'])
  const entry = await lastOf(stage, flow.dfid, 'approval')
  const { impact, acknowledge, not_before } = inside(entry, 'modification')
  assert.deepEqual([impact, acknowledge], ['HIGH_IMPACT', judged.acknowledge])
  assert.equal(not_before, judged.not_before)
  await stage.close()
})

test('finding 8a: what is made less of asks for what less asks for', async () => {
  const stage = await desk()
  await stage.ask('5000.00')
  assert.equal(codeOf(await stage.decide({}, OWNER)), 'SELF_APPROVAL')
  assert.equal(codeOf(await stage.decide(modify('1500.00'), OWNER)), 'ok')
  assert.deepEqual(stage.sent, ['1500.00'])
  await stage.close()
})

test('finding 8a: what would be refused is not kept as judged, so that nobody approves it', async () => {
  const stage = await desk()
  await stage.ask('600.00')
  const judged = await stage.judge('9001.00')
  assert.deepEqual([judged.digest, judged.outlook.kind], [null, 'refused'])
  assert.equal(codeOf(await stage.decide(modify('9001.00'))), 'MODIFICATION_UNJUDGED')
  await stage.close()
})

/** A refund of so many points, each of which is worth what the shop says. */
function priced(): { readonly options: DeskOptions; price: string; armed: boolean } {
  const it = { price: '1', armed: false }
  const options: DeskOptions = {
    sources: [
      {
        source_id: 'shop',
        label: 'trusted',
        paths: ['*'],
        read: async (paths) =>
          paths.map((path) => ({
            path,
            value: it.price,
            observed_at: '2026-06-01T12:00:00.000Z',
            version: it.price,
          })),
      },
    ],
    failpoints: {
      reach(point) {
        if (!it.armed || point !== 'release.before_commit') return
        it.armed = false
        throw new Error('killed')
      },
    },
    capability: {
      reads: () => ({ state: ['shop.price'] }),
      measures: {
        amount: ({ amount }) => amount,
        worth: ({ amount }, view) =>
          String(Number(amount) * Number(view.state('shop.price')?.value ?? 0)),
      },
      exposure: { measure: 'worth', threshold: '2000.00' },
    },
  }
  return Object.assign(it, { options })
}

test('finding 8a: what has a higher impact at its release than it was judged at asks again', async () => {
  for (const change of [{}, modify('900.00')]) {
    const shop = priced()
    const stage = await desk(shop.options)
    const { flow } = await stage.ask('800.00')
    const first = (await stage.waiting()).request
    assert.equal(first.impact, 'LOW_IMPACT')
    shop.armed = true
    await assert.rejects(stage.decide(change), /killed/)
    shop.price = '3'
    await stage.engine().runDue()
    assert.deepEqual(stage.sent, [], 'nobody approved as much')
    const { request } = await stage.waiting()
    assert.deepEqual(
      [request.id === first.id, request.impact, request.triggers.map(({ id }) => id)],
      [false, 'HIGH_IMPACT', ['limit:alone', 'impact']],
    )
    assert.equal(codeOf(await stage.decide({}, ANN)), 'DECISION_TOO_FAST')
    await stage.clock.advance(LIMITS.highImpactDwellMs)
    assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
    assert.equal(stage.sent.length, 1)
    assert.equal((await stage.flow(flow.dfid)).state, 'CLOSED')
    await stage.close()
  }
})

/** Of the agent above the lead. */
const HEAD = 'head_bot'

/** The child asks the lead, who may do up to 600, and above it stands the head, who may do more. */
async function threeLevels(lead: JsonObject = {}, options: DeskOptions = {}): Promise<Desk> {
  const stage = await desk({ ...options, contract: { parent_agent: LEAD } })
  await stage.runtime().deploy(leadContract(HEAD, '1500.00'))
  await stage.runtime().deploy(leadContract(LEAD, '600.00', { parent_agent: HEAD, ...lead }))
  return stage
}

async function channelsOf(stage: Desk, dfid: string): Promise<readonly unknown[]> {
  const asked = (await stage.entries(dfid)).filter(([kind]) => kind === 'pending_approval')
  return asked.map(([, payload]) => inside(payload, 'request').channel)
}

test('finding 11b: a request climbs on, level by level, to the agent whose own law admits it', async () => {
  const stage = await threeLevels()
  const lead = answering(stage, LEAD)
  const head = answering(stage, HEAD)
  const { flow } = await stage.ask('800.00')
  await lead.decided()
  const channels = await channelsOf(stage, flow.dfid)
  assert.deepEqual(channels, [`agent:${LEAD}`, `agent:${HEAD}`], 'it is recorded who was asked')
  await head.decided()
  assert.deepEqual(stage.sent, ['800.00'])
  const { body } = await lastOf(stage, flow.dfid, 'approval')
  assert.equal((body as JsonObject).approver, `agent:${HEAD}`)
  await stage.close()
})

test('finding 11b: each level has five minutes, and after the last a person decides', async () => {
  const stage = await threeLevels()
  const { flow } = await stage.ask('800.00')
  for (const channel of [`agent:${LEAD}`, `agent:${HEAD}`]) {
    assert.equal((await stage.waiting()).request.channel, channel)
    await stage.clock.advance(LIMITS.parentMs - 1)
    await stage.engine().runDue()
    assert.equal((await stage.waiting()).request.channel, channel, 'not a moment sooner')
    await stage.clock.advance(1)
    await stage.engine().runDue()
  }
  const { request } = await stage.waiting()
  assert.equal(request.channel, 'operator')
  const late = { kind: 'agent', agent_id: LEAD, dfid: flow.dfid } as const
  assert.equal(codeOf(await stage.decide({}, late)), 'PARENT_NOT_ASKED', 'its time is over')
  assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
  assert.deepEqual(stage.sent, ['800.00'])
  await stage.close()
})

test('finding 11b: an agent above that cannot decide is passed over', async () => {
  const stopped = await threeLevels()
  const stop = { agent_id: LEAD, to: 'SUSPENDED', actor: 'operator', justification: 'x' } as const
  await stopped.engine().moveAgent(stop)
  await stopped.ask('800.00')
  assert.equal((await stopped.waiting()).request.channel, `agent:${HEAD}`)
  await stopped.close()
  const limits = [{ id: 'own', kind: 'range', measure: 'amount', max: '600.00' }]
  for (const kinds of [['REFUND'], ['RESOLVE_ESCALATION']]) {
    const permissions = { policy_kinds: kinds, limits: kinds[0] === 'REFUND' ? limits : [] }
    const stage = await threeLevels({ permissions })
    await stage.ask('800.00')
    assert.equal((await stage.waiting()).request.channel, `agent:${HEAD}`)
    await stage.close()
  }
})

test('finding 11b: a process that died between two levels asks the next when it starts again', async () => {
  let isArmed = false
  const stage = await threeLevels(
    {},
    {
      failpoints: {
        reach(point) {
          if (!isArmed || point !== 'escalate.after_commit') return
          isArmed = false
          throw new Error('killed')
        },
      },
    },
  )
  await stage.ask('800.00')
  await stage.clock.advance(LIMITS.parentMs)
  isArmed = true
  await stage
    .engine()
    .runDue()
    .catch(() => null)
  await stage.restart()
  await stage.engine().runDue()
  await stage.engine().runDue()
  const asked = (await stage.flows()).filter(({ agent_id }) => agent_id === HEAD)
  assert.equal(asked.length, 1)
  assert.equal((await stage.waiting()).request.channel, `agent:${HEAD}`)
  await stage.close()
})
