import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from 'rubicon-kernel'
import { foundByBoth } from '../../evidence/both-verifiers.test-support.ts'
import { exampleRuntime } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { retireKey } from '../authority/keys.ts'
import { createProver, type Prover, proveProposal } from './prover.test-support.ts'

const told = ({ reason_code, outcome }: Answer): string => reason_code ?? outcome

test('an intent that was signed with a key that is retired is refused, and what that key signed before stays proven', async () => {
  const topologies = [{ topology: 'DL_PCI', policy_kinds: ['REFUND'] }] as const
  const example = await exampleRuntime({ topologies })
  const { runtime } = example
  const [old, next] = [
    await createProver(runtime, 'refunds_bot'),
    await createProver(runtime, 'refunds_bot'),
  ]
  const open = () => runtime.open({ agent: 'refunds_bot', trigger: 'proven', steps: 'many' })
  const prove = (flow: Awaited<ReturnType<typeof open>>, by: Prover) =>
    proveProposal(runtime, flow, by, {
      policy_kind: 'REFUND',
      params: { order: flow.dfid, amount: '20.00' },
    })
  const before = await open()
  const done = prove(before, old)
  assert.equal(told(await before.propose(done)), 'ACCEPTED')
  const waiting = await open()
  const signed = prove(waiting, old)
  assert.ok((await retireKey(runtime.engine.context, old.key_id)).ok)
  const late = await waiting.propose(signed)
  assert.deepEqual([late.reason_code, late.stage], ['REJECT_AUTH', 'proof'])
  assert.equal((await runtime.store.readFlow(waiting.dfid))?.state, 'ABORTED')
  const fresh = await open()
  assert.equal(told(await fresh.propose(prove(fresh, old))), 'REJECT_AUTH')
  const other = await open()
  assert.equal(told(await other.propose(prove(other, next))), 'ACCEPTED')
  assert.equal(example.calls(), 2)
  await runtime.engine.checkpoint()
  const lines: string[] = []
  await exportLedger(runtime.store, (line) => void lines.push(line))
  assert.deepEqual(await foundByBoth(lines.join('')), [])
  await example.close()
})
