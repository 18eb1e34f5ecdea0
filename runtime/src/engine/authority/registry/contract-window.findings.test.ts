import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant, parseContract } from 'rubicon-kernel'
import { CONTRACT } from '../../../evidence/example.test-support.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../../flow/flow-stage.test-support.ts'
import { loadAgentDetail } from './agent-detail.ts'
import { listContractVersions } from './contract-versions.ts'

const HOUR = 3_600_000

const inHours = ({ clock }: FlowStage, hours: number): string =>
  formatInstant(clock.now() + hours * HOUR)

/** Opens a flow and proposes a refund of 20.00 in it. */
async function outcome(stage: FlowStage): Promise<string> {
  const opened = await stage.runtime().open({ agent: AGENT, trigger: 'a customer wrote' })
  const answer = await opened.propose(refund())
  return answer.reason_code ?? answer.outcome
}

async function openingCode(stage: FlowStage): Promise<string> {
  const opened = await stage.engine().open({ agent: AGENT, trigger: 'a customer wrote' })
  return opened.ok ? opened.value.contract.contract.version : opened.error.code
}

test('finding 12a: a version for the future, deployed today, does not stop the agent today', async () => {
  const stage = await flowStage()
  await stage.deploy()
  const strict = [{ id: 'small', measure: 'amount', max: '1', reason_code: 'LIMIT_EXCEEDED' }]
  await stage.deploy({
    version: '2.0.0',
    effective_from: inHours(stage, 1),
    permissions: { policy_kinds: ['REFUND'], limits: strict },
  })
  assert.equal(await outcome(stage), 'ACCEPTED', 'today’s version is in force')
  await stage.clock.advance(HOUR - 1)
  assert.equal(await openingCode(stage), '1.0.0')
  await stage.clock.advance(1)
  assert.equal(await openingCode(stage), '2.0.0', 'it takes over by itself')
  assert.equal(await outcome(stage), 'LIMIT_EXCEEDED')
  await stage.close()
})

test('what people are shown is the version in force, and the next one as not in force', async () => {
  const stage = await flowStage()
  await stage.deploy()
  await stage.deploy({ version: '2.0.0', effective_from: inHours(stage, 1) })
  const { context } = stage.engine()
  const shown = async (): Promise<unknown> => {
    const { now } = await context.store.readNow('authority')
    const authority = await context.authorities.loadLatest()
    const versions = await listContractVersions(context.store, authority, AGENT, now)
    const detail = await loadAgentDetail(context, AGENT)
    return [detail?.version, versions.map(({ version, in_force }) => `${version} ${in_force}`)]
  }
  assert.deepEqual(await shown(), ['1.0.0', ['2.0.0 false', '1.0.0 true']])
  await stage.clock.advance(HOUR)
  assert.deepEqual(await shown(), ['2.0.0', ['2.0.0 true', '1.0.0 false']])
  await stage.close()
})

test('a version that ends gives way to the one before it, and to nobody where there is none', async () => {
  const stage = await flowStage()
  await stage.deploy()
  await stage.deploy({ version: '2.0.0', effective_until: inHours(stage, 1) })
  assert.equal(await openingCode(stage), '2.0.0')
  await stage.clock.advance(HOUR)
  assert.equal(await openingCode(stage), '1.0.0')
  await stage.engine().revoke({ target: 'contract', id: `${AGENT}@1.0.0`, reason: 'over' })
  assert.equal(await openingCode(stage), 'CONTRACT_NOT_EFFECTIVE')
  await stage.close()
})

test('an agent whose only version is for later opens nothing before', async () => {
  const stage = await flowStage()
  await stage.deploy({ effective_from: inHours(stage, 1) })
  assert.equal(await openingCode(stage), 'CONTRACT_NOT_EFFECTIVE')
  const shaken = await stage.engine().handshake({ agent: AGENT })
  assert.equal(shaken.ok ? 'open' : shaken.error.code, 'CONTRACT_NOT_EFFECTIVE')
  await stage.clock.advance(HOUR)
  assert.equal(await openingCode(stage), '1.0.0')
  await stage.close()
})

test('a version for later cannot revoke today’s, which would leave the agent without any', async () => {
  const stage = await flowStage()
  await stage.deploy()
  const change = { version: '2.0.0', effective_from: inHours(stage, 1) }
  const later = parseContract({ ...CONTRACT, ...change })
  assert.ok(later.ok)
  const early = await stage.engine().deploy(later.value, { revokePrevious: true })
  assert.equal(early.ok ? 'deployed' : early.error.code, 'CONTRACT_NOT_EFFECTIVE')
  assert.equal(await openingCode(stage), '1.0.0')
  await stage.clock.advance(HOUR)
  const due = await stage.engine().deploy(later.value, { revokePrevious: true })
  assert.ok(due.ok, 'now it is in force itself')
  assert.equal(await openingCode(stage), '2.0.0')
  await stage.close()
})
