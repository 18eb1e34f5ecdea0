/** How atoms were broken, case by case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Runtime } from '../../compose.ts'
import { foundByBoth } from '../../evidence/both-verifiers.test-support.ts'
import { exampleRuntime } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'

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
  assert.deepEqual(foundByBoth(await exportText(runtime)), [])
  await example.close()
})
