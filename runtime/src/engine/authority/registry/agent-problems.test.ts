import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { AGENT, flowStage } from '../../flow/flow-stage.test-support.ts'
import { findAgentProblems } from './agent-problems.ts'

async function problems(contract: JsonObject, now: string): Promise<readonly string[]> {
  const stage = await flowStage()
  await stage.deploy(contract)
  const authority = await stage.engine().context.authorities.loadLatest()
  const found = findAgentProblems(authority, AGENT, now).map(({ summary }) => summary)
  await stage.close()
  return found
}

test('a contract outside its time is a problem, from its end on and before its start', async () => {
  const effective_until = '2027-01-01T00:00:00.000Z'
  const at = (now: string): Promise<readonly string[]> => problems({ effective_until }, now)
  assert.deepEqual(await at('2026-12-31T23:59:59.999Z'), [])
  assert.deepEqual(await at(effective_until), [`the contract ended at ${effective_until}`])
  assert.match((await at('2000-01-01T00:00:00.000Z'))[0] ?? '', /^the contract holds from /)
})

test('a parent that is not there, and a missing key, are problems', async () => {
  const now = '2026-12-31T00:00:00.000Z'
  assert.deepEqual(await problems({ parent_agent: 'boss' }, now), [
    'its parent `boss` is not registered',
  ])
  assert.deepEqual(await problems({ safety_rules: { requires_signature: true } }, now), [
    'no key of it is in use',
  ])
})

test('nothing is wrong with somebody who has ended', async () => {
  const stage = await flowStage()
  await stage.deploy({ parent_agent: 'boss' })
  const move = { agent_id: AGENT, to: 'RETIRED', actor: 'operator', justification: 'over' } as const
  assert.ok((await stage.engine().moveAgent(move)).ok)
  const authority = await stage.engine().context.authorities.loadLatest()
  assert.deepEqual(findAgentProblems(authority, AGENT, '2026-12-31T00:00:00.000Z'), [])
  await stage.close()
})
