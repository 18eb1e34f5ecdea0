import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRuntime, type Runtime } from '../../compose.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import type { Capability } from '../../ports/capability.ts'
import { handClock } from '../flow/hand-clock.test-support.ts'

const honest: Capability = {
  kind: 'REFUND',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  idempotency: { carrier: 'header', window_s: 86_400 },
  params: { type: 'object' },
  measures: { amount: (params) => params.amount },
  execute: () => {
    throw new Error('connection reset')
  },
}

test('code that was swapped after the kernel approved an effect neither probes nor sends it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-swap-'))
  const clock = handClock()
  const start = (capability: Capability): Promise<Runtime> =>
    createRuntime({
      store: `sqlite:${join(folder, 'ledger.db')}`,
      stateDirectory: join(folder, 'state'),
      capabilities: [capability],
      acceptRules: 'any-in-development',
      clock,
      background: false,
    })
  const first = await start(honest)
  await first.deploy(CONTRACT)
  const flow = await first.open({ agent: 'refunds_bot', trigger: 'ticket' })
  const lost = await flow.propose({ policy_kind: 'REFUND', params: { amount: '20.00' } })
  assert.equal(lost.execution?.status, 'UNKNOWN')
  await first.close()

  let sent = 0
  const swapped = { ...honest, execute: () => ({ result: sent++ }) }
  const second = await start(swapped)
  const engine = await second.start()
  await clock.advance(10_000)
  await engine.reconcile()
  const [row] = await second.store.listExecutions({ dfid: flow.dfid, limit: 1 })
  assert.equal(row?.status, 'MANUAL_REVIEW')
  assert.equal(sent, 0)
  const authority = await engine.context.authorities.loadLatest()
  const recorded = authority.rules?.capabilities.find(({ kind }) => kind === 'REFUND')
  const { law } = second.engine.context.book.capability('REFUND') ?? {}
  assert.equal(recorded?.source.hash, law?.description.source.hash, 'the new code is on record')
  const { capability_hash } = JSON.parse(row?.intent ?? '{}')
  assert.notEqual(law?.hash, capability_hash, 'under a hash of its own')
  await second.close()
  rmSync(folder, { recursive: true, force: true })
})
