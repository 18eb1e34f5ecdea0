/** How atoms were broken, case by case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from 'rubicon-kernel'
import type { Runtime } from '../../compose.ts'
import { foundByBoth } from '../../evidence/both-verifiers.test-support.ts'
import { exampleRuntime } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { desk } from '../approve/escalation.test-support.ts'
import { answering, LEAD, leadContract } from '../approve/family.test-support.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'

async function exportText({ engine, store }: Runtime): Promise<string> {
  const lines: string[] = []
  await engine.checkpoint()
  await exportLedger(store, (line) => void lines.push(line))
  return lines.join('')
}

test('no agent makes a ledger that verifiers refuse by asking for an atom for what nobody has to grant', async () => {
  const example = await exampleRuntime({ background: false })
  const { runtime } = example
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'a stream', steps: 'many' })
  const { atom_id } = await flow.atom({ policy_kinds: ['ESCALATE', 'REFUND', 'RETIRE'] })
  const params = { reason: 'I am lost' }
  const answer = await flow.propose({ policy_kind: 'ESCALATE', params, atom_id })
  assert.equal(answer.outcome, 'ACCEPTED')
  assert.deepEqual(await foundByBoth(await exportText(runtime)), [])
  await example.close()
})

test('what an atom holds does not stand in the way of its own decision once it was approved, and goes back once', async () => {
  const safety_rules = {
    budget_per_flow: { calls: '1' },
    budget_per_agent: { window_s: '604800', calls: '1' },
    requires_human_approval: [],
  }
  const stage = await desk({ contract: { safety_rules } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'a stream', steps: 'many' })
  const { atom_id } = await flow.atom()
  const params = { order: 'o-1', amount: '800.00' }
  const asked = await flow.propose({ policy_kind: 'REFUND', step_id: 'one', params, atom_id })
  assert.equal(asked.outcome, 'ESCALATED')
  // Judged on what is left without the hold, and dispatched beside it, it would be tried until its time is over.
  assert.ok((await stage.decide()).ok)
  assert.deepEqual(stage.sent, ['800.00'])
  const more = { order: 'o-2', amount: '20.00' }
  const again = await flow.propose({ policy_kind: 'REFUND', step_id: 'two', params: more, atom_id })
  assert.equal(again.reason_code, 'ATOM_EXPIRED')
  await stage.clock.advance(61_000)
  await stage.engine().reconcile()
  const { store } = stage.runtime()
  assert.equal(await store.readCounter(`${flow.dfid}:calls`), 1)
  assert.deepEqual(await foundByBoth(await exportText(stage.runtime())), [])
  await stage.close()
})

test('the atom of an agent is not asked of the agent above that lets its decision pass', async () => {
  const stage = await desk({ contract: { parent_agent: LEAD } })
  await stage.runtime().deploy(leadContract(LEAD, '1000.00'))
  const above = answering(stage, LEAD)
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'a stream', steps: 'many' })
  const { atom_id } = await flow.atom()
  const params = { order: 'o-1', amount: '800.00' }
  const asked = await flow.propose({ policy_kind: 'REFUND', params, atom_id })
  assert.equal(asked.disposition, 'delegation')
  const { outcome, execution } = (await above.decided()) as Answer
  assert.deepEqual([outcome, execution?.status], ['ACCEPTED', 'SUCCESS'])
  assert.deepEqual(stage.sent, ['800.00'])
  assert.deepEqual(await foundByBoth(await exportText(stage.runtime())), [])
  await stage.close()
})

test('what an atom holds of the window of an agent is not lost with a flow that is erased', async () => {
  const safety_rules = {
    budget_per_agent: { window_s: '604800', calls: '1' },
    requires_human_approval: [],
  }
  const stage = await desk({ contract: { safety_rules } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'a stream', steps: 'many' })
  await flow.atom()
  await flow.close()
  const { dfid } = flow
  const erased = await stage.engine().oversight.erase({ dfid, reason: 'asked for' })
  assert.ok(erased.ok, JSON.stringify(erased))
  await stage.clock.advance(61_000)
  await stage.engine().reconcile()
  const { answer } = await stage.ask('20.00')
  assert.equal(answer.outcome, 'ACCEPTED')
  await stage.close()
})
