/** A sample of `npm run scenarios:everywhere`: what restarts, what is asked by SQL, and what dies in the middle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildContract } from '../../server/src/demo/contract.ts'
import { refundCapability } from '../../server/src/demo/refunds.ts'
import type { Scenario, Stage } from '../../server/src/demo/stage.ts'
import { type PlayedEverywhere, playEverywhere } from './everywhere.ts'
import { openPlaces } from './everywhere-places.ts'
import { SCENARIOS } from './index.ts'

const STORES = ['memory', 'sqlite'] as const

function play(load: () => Promise<Scenario>, http = false): Promise<PlayedEverywhere> {
  return playEverywhere({ name: 'tried', load }, openPlaces(), { stores: STORES, http })
}

for (const name of ['retry-governor', 'dfid-propagation', 'idempotency']) {
  test(`${name} decides the same, and leaves the same, in memory and on SQLite`, async () => {
    const listed = SCENARIOS.find((scenario) => scenario.name === name)
    assert.ok(listed, `there is a scenario ${name}`)
    const { stores, equal } = await play(listed.load)
    assert.deepEqual(stores.memory, stores.sqlite)
    assert.equal(equal, true)
  })
}

/** One refund; `differ` says what is otherwise than on other stores. */
function tellOneRefund(
  differ: (stage: Stage) => { amount?: string; fact?: string; line?: string },
) {
  const scenario: Scenario = {
    name: 'one-refund',
    async play(stage) {
      const { amount = '20.00', fact = 'gold', line = 'a refund' } = differ(stage)
      const runtime = await stage.openRuntime({ capabilities: [refundCapability([])] })
      await runtime.deploy(buildContract('refunds_bot', ['REFUND']))
      await runtime.observe({ path: 'customer.tier', value: fact })
      const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'a ticket' })
      const answer = await flow.propose({ policy_kind: 'REFUND', params: { order: 'o', amount } })
      stage.recordDecision(line, answer, { outcome: 'ACCEPTED' })
      await stage.close(runtime)
    },
  }
  return play(async () => scenario)
}

test('stores on which the same happened are never called different, whatever the ids and times', async () => {
  const { stores, equal } = await tellOneRefund(() => ({}))
  assert.equal(stores.memory?.error, undefined)
  assert.equal(equal, true)
})

const DIFFERENCES = {
  'an effect of another amount': { amount: '21.00' },
  'another value of State': { fact: 'silver' },
  'another line': { line: 'a payment' },
}

for (const [what, change] of Object.entries(DIFFERENCES)) {
  test(`${what} on one store is never called equal`, async () => {
    const { stores, equal } = await tellOneRefund(({ storeName }) => {
      return storeName === 'memory' ? change : {}
    })
    assert.deepEqual([stores.memory?.expected, stores.sqlite?.expected], [true, true])
    assert.equal(equal, false)
  })
}

test('what breaks, or is wrong everywhere, is never called equal', async () => {
  const broken = await play(async () => ({
    name: 'broken',
    play: async () => assert.fail('it breaks'),
  }))
  assert.match(broken.stores.sqlite?.error ?? '', /it breaks/)
  assert.equal(broken.equal, false)
  const wrong = await play(async () => ({
    name: 'wrong',
    async play(stage) {
      await (await stage.openRuntime({})).start()
      stage.check('two is three', false)
    },
  }))
  assert.deepEqual(wrong.stores.memory, wrong.stores.sqlite)
  assert.equal(wrong.equal, false)
})

test('what nobody asked over the wire is never called played over it', async () => {
  const scenario: Scenario = {
    name: 'silent',
    async play(stage) {
      await (await stage.openRuntime({})).start()
    },
  }
  const { http, equal } = await play(async () => scenario, true)
  assert.deepEqual([http?.error, http?.expected, equal], [undefined, false, false])
})
