import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256, withCase } from '../compile/case.test-support.ts'
import type { Contract } from '../contract/contract.ts'
import { type Authority, type DeployedContract, NO_AUTHORITY } from '../ledger/authority.ts'
import { MEAN, monitorOf } from './monitor.test-support.ts'
import { hashMonitor, listMonitorsInForce } from './monitors-in-force.ts'

const { contract } = withCase({})
assert.ok(contract !== null)

type Thresholds = Contract['aggregate_thresholds']

const version = (
  seq: number,
  aggregate_thresholds: Thresholds,
  more: Partial<Contract> & { readonly revoked?: boolean } = {},
): DeployedContract => {
  const { revoked = false, ...change } = more
  const deployed = { ...contract, ...change, aggregate_thresholds }
  const persons = { owner: 'p_jane', approvers: [] }
  return { contract: deployed, hash: `sha256:${seq}`, seq, revoked, persons }
}

function found(
  agents: Readonly<Record<string, readonly DeployedContract[]>>,
  monitored = false,
  statuses: Authority['statuses'] = new Map(),
): readonly (readonly unknown[])[] {
  const monitor = monitorOf(MEAN)
  const hash = hashMonitor(monitor, sha256)
  const authority: Authority = {
    ...NO_AUTHORITY,
    statuses,
    contracts: new Map(Object.entries(agents)),
    monitors: monitored ? new Map([['watch', { monitor, hash, seq: 9 }]]) : new Map(),
  }
  return listMonitorsInForce(authority, '2026-03-02T10:00:00.000Z', sha256).map(
    ({ agent_id, monitor, origin, seq }) => [agent_id, monitor.name, origin, seq],
  )
}

const NAME = 'max_average_discount_30d'

test('the thresholds of the contract in force are monitors of its agent', () => {
  assert.deepEqual(found({ bot: [version(3, { [NAME]: '0.1' })] }), [['bot', NAME, 'contract', 3]])
  assert.deepEqual(found({ bot: [version(3, {})], idle: [] }), [])
  assert.deepEqual(found({ bot: [version(3, { max_losses_7d: '3' })] }), [])
})

test('what was carried out before the contract was revoked never escapes its monitors', () => {
  const revoked = version(3, { [NAME]: '0.1' }, { revoked: true })
  assert.deepEqual(found({ bot: [revoked] }), [['bot', NAME, 'contract', 3]])
  assert.equal(found({ bot: [revoked] }, true).length, 2)
})

test('a version for later neither watches yet nor takes away what watches now', () => {
  const later = version(5, {}, { effective_from: '2026-03-02T10:00:00.001Z' })
  const watched = found({ bot: [version(3, { [NAME]: '0.1' }), later] })
  assert.deepEqual(watched, [['bot', NAME, 'contract', 3]])
})

test('an agent that was retired is watched no more', () => {
  const agents = { bot: [version(3, { [NAME]: '0.1' })] }
  assert.equal(found(agents, true, new Map([['bot', 'SUSPENDED']])).length, 2)
  assert.deepEqual(found(agents, true, new Map([['bot', 'RETIRED']])), [])
})

test('a version that says the same continues a monitor; one that changes it starts anew', () => {
  const same = version(3, { [NAME]: '0.1' })
  assert.deepEqual(found({ bot: [same, version(5, { [NAME]: '0.1' })] })[0]?.[3], 3)
  assert.deepEqual(found({ bot: [same, version(5, { [NAME]: '0.2' })] })[0]?.[3], 5)
  const gap = [same, version(5, {}), version(7, { [NAME]: '0.1' })]
  assert.deepEqual(found({ bot: gap })[0]?.[3], 7)
  const withdrawn = version(5, { [NAME]: '0.1' }, { revoked: true })
  assert.deepEqual(found({ bot: [same, withdrawn] })[0]?.[3], 3, 'later ones do not matter')
})

test('a deployed monitor watches the agents that it names, and their instances', () => {
  const agents = {
    bot: [version(1, {})],
    other: [version(2, {})],
    'bot-1': [version(3, { [NAME]: '0.1' }, { instance_of: 'bot' })],
  }
  assert.deepEqual(found(agents, true), [
    ['bot', 'watch', 'file', 9],
    ['bot-1', NAME, 'contract', 3],
    ['bot-1', 'watch', 'file', 9],
  ])
})

test('an instance is watched by its own name and by that of its class', () => {
  const instance = version(3, {}, { instance_of: 'class' })
  assert.deepEqual(found({ bot: [instance] }, true), [['bot', 'watch', 'file', 9]])
  const ofClass = version(3, {}, { instance_of: 'bot' })
  assert.deepEqual(found({ 'bot-7': [ofClass] }, true), [['bot-7', 'watch', 'file', 9]])
  assert.deepEqual(found({ other: [instance] }, true), [])
})
