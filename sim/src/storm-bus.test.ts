import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busConformance } from '../../runtime/src/ports/bus.conformance.ts'
import type { Bus, BusDelivery } from '../../runtime/src/ports/bus.ts'
import { VirtualTime } from './clock.ts'
import { SimProcess } from './process.ts'
import { Rng } from './rng.ts'
import { StormBus } from './storm-bus.ts'
import { drawSwarm, FAULTS, type Fault, Faults } from './swarm.ts'

type Stage = {
  readonly time: VirtualTime
  readonly taken: BusDelivery[]
  readonly bus: Bus
  readonly process: SimProcess
  readonly faults: Faults
}

/** With these faults, always, and no others. */
function createStage(struck: readonly Fault[], seed = 1): Stage {
  const time = new VirtualTime()
  const swarm = drawSwarm(new Rng(seed))
  const chances = { ...swarm.chances }
  for (const fault of FAULTS) chances[fault] = struck.includes(fault) ? 1 : 0
  const faults = new Faults(new Rng(seed), { ...swarm, chances }, () => {})
  const taken: BusDelivery[] = []
  const storm = new StormBus({
    time,
    faults,
    note: () => {},
    taken: (delivery) => void taken.push(delivery),
    subscribed: () => {},
  })
  const process = new SimProcess(1, () => {})
  return { time, taken, bus: storm.createProcessBus(process), process, faults }
}

async function settle(time: VirtualTime): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  while (await time.step());
}

const TAGS = { dfid: 'flow-1', snapshot_id: 'sha256:aa' }

/** What a subscriber to everything hears of two messages. */
async function hear({ bus, time }: Stage): Promise<readonly BusDelivery[]> {
  const heard: BusDelivery[] = []
  await bus.subscribe('*', (one) => heard.push(one), { agent_id: null })
  for (const event_id of ['one', 'two']) {
    const published = bus.publish('t', { event_id, agent: 'a' }, TAGS).catch(() => {})
    await settle(time)
    await published
  }
  return heard
}

const listNames = (heard: readonly BusDelivery[]): readonly unknown[] =>
  heard.map(({ message }) => message.event_id)

{
  let stage = createStage([])
  busConformance(
    'storm, while nothing goes wrong',
    async () => {
      stage = createStage([])
      const { bus, time } = stage
      return {
        ...bus,
        async publish(...message) {
          const published = bus.publish(...message)
          published.catch(() => {})
          await settle(time)
          return published
        },
      }
    },
    () => settle(stage.time),
  )
}

test('messages are lost, repeated, late and in another order', async () => {
  assert.deepEqual(listNames(await hear(createStage([]))), ['one', 'two'])
  assert.deepEqual(await hear(createStage(['bus_lost'])), [])
  assert.deepEqual(listNames(await hear(createStage(['bus_repeated']))), [
    'one',
    'one',
    'two',
    'two',
  ])
  assert.deepEqual(listNames(await hear(createStage(['bus_reordered']))), ['one'])
  const late = createStage(['bus_late'])
  assert.equal((await hear(late)).length, 2)
  assert.ok(late.time.getElapsedMs() >= 400)
})

test('who hears that it failed does not know whether it was taken', async () => {
  const taken = new Set<number>()
  for (let seed = 1; seed < 20; seed++) {
    const stage = createStage(['bus_down'], seed)
    await hear(stage)
    taken.add(stage.taken.length)
  }
  assert.deepEqual([...taken].toSorted(), [0, 1, 2])
})

test('what is forged differs from what was said, or was said before', async () => {
  const kinds = new Set<string>()
  for (let seed = 1; seed < 60; seed++) {
    const heard = await hear(createStage(['bus_forged'], seed))
    for (const { topic, dfid, snapshot_id, message } of heard)
      kinds.add(JSON.stringify([topic, dfid, snapshot_id, message]))
  }
  assert.ok(kinds.size > 10, `${kinds.size} kinds`)
})

test('who has ended hears nothing, and who stands still hears it later', async () => {
  const still = createStage([])
  const heard: BusDelivery[] = []
  await still.bus.subscribe('*', (one) => heard.push(one), { agent_id: null })
  const published = still.bus.publish('t', {}, TAGS)
  await still.time.step()
  await published
  still.process.freeze(0)
  await settle(still.time)
  assert.equal(heard.length, 0)
  still.process.thaw()
  assert.equal(heard.length, 1)
  const over = createStage([])
  await over.bus.subscribe('*', (one) => heard.push(one), { agent_id: null })
  const last = over.bus.publish('t', {}, TAGS)
  await over.time.step()
  await last
  void over.process.simulateCrash('test')
  await settle(over.time)
  assert.equal(heard.length, 1)
})
