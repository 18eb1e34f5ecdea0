/** What broke release 0.2.0 where somebody is asked: who may decide, and what they decide about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, LIMITS } from 'rubicon-kernel'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { ANN, BOB, codeOf, type Desk, type DeskOptions, desk } from './escalation.test-support.ts'
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
