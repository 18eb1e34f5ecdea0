/** Capabilities that were approved by their hash before a process held them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../../adapters/system/sha256.ts'
import { registerCapability } from '../../../capabilities/register.ts'
import type { Capability } from '../../../ports/capability.ts'
import type { Engine } from '../../engine.ts'
import { filed, type Held, type RulesStage, rulesStage } from '../rules-stage.test-support.ts'

const NEXT = { version: '2' } as const

function hashOf(capability: Capability): string {
  const registered = registerCapability(capability, sha256)
  assert.ok(registered.ok)
  return registered.value.law.hash
}

/** A process with the first rules, in which an operator approves these. */
async function approveIn(stage: RulesStage, ...capabilities: readonly Capability[]): Promise<void> {
  const engine = await stage.start({})
  const approvals = capabilities.map((one) => {
    return { kind: one.kind, capability_hash: hashOf(one), by: 'ann' }
  })
  assert.ok(await engine.oversight.approveCapabilities(approvals))
  await engine.stop()
}

async function standingOf(stage: RulesStage, held: Held): Promise<string> {
  const engine: Engine = stage.engineOf(held)
  assert.ok((await engine.start()).ok)
  const state = await engine.oversight.rules()
  assert.ok(state.ok)
  await engine.stop()
  return state.value.kind
}

test('a capability that was approved by its hash is in force when a process holds it', async () => {
  const stage = rulesStage({ isShared: false })
  const [next, added] = [stage.refundCapability(NEXT), stage.refundCapability({ kind: 'CREDIT' })]
  await approveIn(stage, next, added)
  assert.equal(await standingOf(stage, { capabilities: [next, added] }), 'in_force')
})

test('nothing rides along with a capability that was approved', async () => {
  const stage = rulesStage({ isShared: false })
  const next = stage.refundCapability(NEXT)
  await approveIn(stage, next)
  const other = stage.refundCapability({ version: '3' })
  const added = stage.refundCapability({ kind: 'CREDIT' })
  const policies = [filed('ops', true)]
  assert.equal(await standingOf(stage, { capabilities: [other] }), 'not_in_force')
  assert.equal(await standingOf(stage, { capabilities: [next, added] }), 'not_in_force')
  assert.equal(await standingOf(stage, { capabilities: [next], policies }), 'not_in_force')
  assert.equal(await standingOf(stage, { capabilities: [next] }), 'in_force')
})

test('an approval does not bring back what was replaced on purpose since', async () => {
  const stage = rulesStage({ isShared: false })
  const next = stage.refundCapability(NEXT)
  await approveIn(stage, next)
  assert.equal(await standingOf(stage, { capabilities: [next] }), 'in_force')
  const last = await stage.start({
    capabilities: [stage.refundCapability({ version: '3' })],
    agreed: {},
  })
  await last.stop()
  assert.equal(await standingOf(stage, { capabilities: [next] }), 'not_in_force')
})

test('an approval that nobody used ends with the next change that somebody accepts for its kind', async () => {
  const stage = rulesStage({ isShared: false })
  const next = stage.refundCapability(NEXT)
  await approveIn(stage, next)
  const last = await stage.start({
    capabilities: [stage.refundCapability({ version: '3' })],
    agreed: {},
  })
  await last.stop()
  assert.equal(await standingOf(stage, { capabilities: [next] }), 'not_in_force')
})

test('where other processes decide too, an approval puts nothing in force', async () => {
  const stage = rulesStage()
  const next = stage.refundCapability(NEXT)
  await approveIn(stage, next)
  assert.equal(await standingOf(stage, { capabilities: [next] }), 'not_in_force')
})
