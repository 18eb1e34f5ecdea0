/** What contracts were deployed, which of them is in force, and who is asked under them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  type Contract,
  type ContractBody,
  computeAddress,
  type JsonObject,
  type Occasion,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { AGENT, contract, contractHash } from '../samples/sample-ledger.test-support.ts'
import { type Contracts, createContracts } from './contracts.ts'

const PERSONS = { owner: 'p_jane', approvers: [] }
const AT = '2026-02-01T09:00:00.000Z'
const INSTANCE = 'agent-1-a'
const next: Contract = { ...contract, version: '2.0.0' }
const own: Contract = { ...contract, agent_id: INSTANCE, instance_of: AGENT }
const REVOKED = 'its contract is revoked'

function hashOf(document: JsonObject): Address {
  return computeAddress('contract', document, nodeCrypto.sha256)
}

function deploy(
  contracts: Contracts,
  one: Contract = contract,
  change: Partial<Extract<ContractBody, { readonly action: 'deploy' }>> = {},
): string[] {
  const contract_hash = hashOf(one)
  const body = { revoke_previous: false, persons: PERSONS, contract: one, contract_hash, ...change }
  return contracts.add({ action: 'deploy', ...body })
}

function spawn(
  contracts: Contracts,
  one: Contract = own,
  of: Address = contractHash,
  occasion?: Occasion,
): string[] {
  const body = { action: 'spawn', contract: one, contract_hash: hashOf(one), of } as const
  return contracts.add(occasion === undefined ? body : { ...body, occasion })
}

/** As it was recorded: what stands there need not have the form of a contract. */
function spoilt(change: JsonObject): Contract {
  return Object.assign({ ...contract }, change)
}

test('a version is deployed with one content; deployed again it stays as it is', () => {
  const contracts = createContracts()
  assert.deepEqual(deploy(contracts), [])
  assert.deepEqual(deploy(contracts), [])
  assert.deepEqual(deploy(contracts, next), [])
  const other = { ...contract, mission: 'sell' }
  assert.deepEqual(deploy(contracts, other), ['version `1.0.0` exists with other content'])
  contracts.revoke(`${AGENT}@1.0.0`)
  assert.deepEqual(deploy(contracts), [])
  assert.equal(contracts.problem(contractHash, AGENT), REVOKED)
  assert.equal(contracts.problem(hashOf(next), AGENT), undefined)
})

test('a deployment revokes what was before it where it says so, and never itself', () => {
  for (const revoke_previous of [true, false]) {
    const contracts = createContracts()
    deploy(contracts)
    deploy(contracts, next, { revoke_previous })
    const before = contracts.problem(contractHash, AGENT)
    assert.equal(before, revoke_previous ? REVOKED : undefined)
    assert.equal(contracts.problem(hashOf(next), AGENT), undefined)
  }
})

test('nobody stands on a contract that was deployed for another agent', () => {
  const contracts = createContracts()
  const nobody = 'its contract was not deployed for the agent'
  assert.equal(contracts.problem(contractHash, AGENT), nobody)
  deploy(contracts)
  assert.equal(contracts.problem(contractHash, AGENT), undefined)
  assert.equal(contracts.problem(contractHash, 'another'), nobody)
  assert.equal(contracts.problem(hashOf(next), AGENT), nobody)
})

test('of the versions that nobody revoked the last one is in force, inside of its time', () => {
  const contracts = createContracts()
  assert.equal(contracts.inForce(AGENT, AT), undefined)
  deploy(contracts)
  const until = { ...next, effective_from: AT, effective_until: '2026-02-01T10:00:00.000Z' }
  deploy(contracts, until)
  const current = (at: string, hash?: Address): string | undefined =>
    contracts.inForce(AGENT, at, hash)?.hash
  assert.equal(current('2025-12-31T23:59:59.999Z'), undefined)
  assert.equal(current('2026-02-01T08:59:59.999Z'), contractHash)
  assert.equal(current(AT), hashOf(until))
  assert.equal(current(AT, contractHash), contractHash)
  assert.equal(current('2026-02-01T09:59:59.999Z'), hashOf(until))
  assert.equal(current('2026-02-01T10:00:00.000Z'), contractHash)
  contracts.revoke(`${AGENT}@2.0.0`)
  assert.equal(current(AT), contractHash)
})

test('a contract whose times are not in the form that is stored is never in force', () => {
  const forms: readonly JsonObject[] = [
    { effective_from: '2026-01-01' },
    { effective_from: 'at once' },
    { effective_from: 7 },
    { effective_until: 'never' },
    { effective_until: null },
    { effective_until: '2027-01-01' },
  ]
  for (const form of forms) {
    const contracts = createContracts()
    deploy(contracts, spoilt(form))
    assert.equal(contracts.inForce(AGENT, AT), undefined, JSON.stringify(form))
  }
})

test('an instance has a name of its own, and lies inside a contract of its class', () => {
  const contracts = createContracts()
  deploy(contracts)
  assert.deepEqual(spawn(contracts), [])
  assert.deepEqual(spawn(contracts), ['the name of the instance was used before'])
  assert.deepEqual(spawn(contracts, { ...own, agent_id: 'b' }, hashOf(next)), [
    'its class has no such contract',
  ])
  assert.equal(contracts.problem(hashOf({ ...own, agent_id: 'b' }), 'b'), REVOKED)
  const policy_kinds = [...own.permissions.policy_kinds, 'TRANSFER']
  const wide = { ...own, agent_id: 'c', permissions: { ...own.permissions, policy_kinds } }
  const [wider = ''] = spawn(contracts, wide)
  assert.match(wider, /^it is wider than its class: /)
  const shapeless = Object.assign(spoilt({ priority: 'high' }), {
    agent_id: 'd',
    instance_of: AGENT,
  })
  assert.deepEqual(spawn(contracts, shapeless), ['it cannot be compared with its class'])
  contracts.revoke(AGENT)
  assert.deepEqual(spawn(contracts, { ...own, agent_id: 'e' }), [
    'the contract of its class is revoked',
  ])
})

test('what is not in the form that is stored can neither be a class nor an instance', () => {
  const contracts = createContracts()
  const shapeless = spoilt({ priority: 'high' })
  deploy(contracts, shapeless)
  assert.equal(contracts.get(AGENT, hashOf(shapeless))?.isReadable, false)
  assert.deepEqual(spawn(contracts, own, hashOf(shapeless)), [
    'it cannot be compared with its class',
  ])
  assert.equal(contracts.get(INSTANCE, hashOf(own))?.isReadable, true)
})

test('who revokes a class revokes its instances, and who revokes an instance that one alone', () => {
  const contracts = createContracts()
  const second = { ...own, agent_id: 'b' }
  deploy(contracts)
  spawn(contracts)
  spawn(contracts, second)
  contracts.revoke('b')
  assert.equal(contracts.problem(hashOf(own), INSTANCE), undefined)
  assert.equal(contracts.problem(hashOf(second), 'b'), REVOKED)
  contracts.revoke(`${AGENT}@1.0.0`)
  assert.equal(contracts.problem(hashOf(own), INSTANCE), REVOKED)
  assert.equal(contracts.inForce(INSTANCE, AT), undefined)
})

test('an instance for an occasion ends with it, at the time that the step named', () => {
  const [before, ends_at, after] = [10, 11, 12].map((hour) => `2026-02-01T${hour}:00:00.000Z`)
  const cases = [
    { effective_until: ends_at, until: { at: ends_at }, said: [] },
    { effective_until: before, until: { at: ends_at }, said: [] },
    { effective_until: ends_at, until: { at: '2026-02-01T11:00:00Z' }, said: [] },
    { effective_until: ends_at, until: { flow_closed: true }, said: [] },
    {
      effective_until: after,
      until: { at: ends_at },
      said: ['its contract outlives its occasion'],
    },
    { until: { at: ends_at }, said: ['its contract outlives its occasion'] },
    {
      effective_until: ends_at,
      until: { at: after },
      said: ['its occasion ends at another time than it says'],
    },
  ]
  for (const { effective_until, until, said } of cases) {
    const contracts = createContracts()
    deploy(contracts)
    const one = effective_until === undefined ? own : { ...own, effective_until }
    const occasion = { spawner: AGENT, until, ends_at } as Occasion
    assert.deepEqual(spawn(contracts, one, contractHash, occasion), said, JSON.stringify(until))
  }
})

test('what was spawned is an instance, and has the class that its contract names', () => {
  const contracts = createContracts()
  deploy(contracts)
  assert.equal(contracts.isInstance(AGENT), false)
  assert.equal(contracts.isInstance(INSTANCE), undefined)
  assert.equal(contracts.classOf(INSTANCE), undefined)
  spawn(contracts)
  assert.equal(contracts.isInstance(INSTANCE), true)
  assert.equal(contracts.classOf(INSTANCE), AGENT)
  assert.equal(contracts.classOf(AGENT), undefined)
})

test('an agent is above those below it, by any version, however far, and in a circle', () => {
  const contracts = createContracts()
  const place = (agent_id: string, parent_agent: string, version: string): string[] =>
    deploy(contracts, { ...contract, agent_id, parent_agent, version })
  place('a', 'b', '1.0.0')
  place('a', 'c', '2.0.0')
  place('b', 'd', '1.0.0')
  place('d', 'a', '1.0.0')
  for (const above of ['b', 'c', 'd', 'a']) assert.equal(contracts.isAbove(above, 'a'), true, above)
  assert.equal(contracts.isAbove('b', 'c'), false)
  assert.equal(contracts.isAbove('e', 'a'), false)
  assert.equal(contracts.isAbove('a', 'unknown'), false)
  deploy(contracts, Object.assign(spoilt({ parent_agent: 7 }), { agent_id: 'f' }))
  assert.equal(contracts.isAbove('7', 'f'), false)
})

test('where a contract names nobody one or more of anybody are asked', () => {
  const contracts = createContracts()
  assert.equal(
    contracts.names(AGENT, contractHash, { needs: 1, approvers: [], persons: PERSONS }),
    undefined,
  )
  deploy(contracts)
  const asks = (change: JsonObject): boolean | undefined =>
    contracts.names(AGENT, contractHash, {
      ...{ needs: 1, approvers: [], persons: PERSONS },
      ...change,
    })
  assert.equal(asks({}), true)
  assert.equal(asks({ needs: 2 }), true)
  assert.equal(asks({ needs: 0 }), false)
  assert.equal(asks({ approvers: ['ann'] }), false)
  assert.equal(asks({ persons: { owner: 'p_mallory', approvers: [] } }), false)
})

test('where it names approvers these are asked, no fewer and no others', () => {
  const contracts = createContracts()
  const persons = { owner: 'p_jane', approvers: ['p_ann', 'p_bob'] }
  const approvers = { needs: 2, of: ['ann', 'bob'] }
  const one = { ...contract, safety_rules: { ...contract.safety_rules, approvers } }
  deploy(contracts, one, { persons })
  const asks = (needs: number, of: readonly string[]): boolean | undefined =>
    contracts.names(AGENT, hashOf(one), { needs, approvers: of, persons })
  assert.equal(asks(2, ['ann', 'bob']), true)
  assert.equal(asks(1, ['ann', 'bob']), false)
  assert.equal(asks(2, ['ann']), false)
  assert.equal(asks(2, []), false)
})

test('an instance is decided on by those persons that its class names', () => {
  const persons = { owner: 'p_jane', approvers: ['p_ann', 'p_bob'] }
  const naming = (one: Contract, of: readonly string[]): Contract => ({
    ...one,
    safety_rules: { ...one.safety_rules, approvers: { needs: 1, of } },
  })
  const [ofClass, ofInstance] = [naming(contract, ['ann', 'bob']), naming(own, ['bob', 'eve'])]
  const contracts = createContracts()
  deploy(contracts, ofClass, { persons })
  spawn(contracts, ofInstance, hashOf(ofClass))
  const asks = (approvers: readonly string[], owner = 'p_jane'): boolean | undefined =>
    contracts.names(INSTANCE, hashOf(ofInstance), {
      needs: 1,
      approvers: ['bob', 'eve'],
      persons: { owner, approvers },
    })
  assert.equal(asks(['p_bob', '']), true)
  assert.equal(asks(['p_bob', 'p_eve']), false)
  assert.equal(asks(['p_ann', '']), false)
  assert.equal(asks(['p_bob', ''], 'p_ann'), false)
})
