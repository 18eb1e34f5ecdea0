import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualTime } from './clock.ts'
import { MachineClock } from './machine-clock.ts'
import { SimProcess } from './process.ts'

async function drain(time: VirtualTime): Promise<void> {
  while (await time.step());
}

test('a jump moves the wall clock of one machine, and no monotonic one', () => {
  const time = new VirtualTime()
  const [one, other] = [new MachineClock(time, 0), new MachineClock(time, 1500)]
  assert.equal(other.getNow() - one.getNow(), 1500)
  const seen = one.createProcessClock(new SimProcess(1, () => {}), 70)
  const before = [seen.now(), seen.monotonic()]
  one.jump(-5000)
  assert.deepEqual([seen.now() - (before[0] ?? 0), seen.monotonic()], [-5000, 70])
  assert.equal(other.getNow() - one.getNow(), 6500)
})

test('monotonic time of two processes has nothing in common but its pace', async () => {
  const time = new VirtualTime()
  const clock = new MachineClock(time, 0)
  const a = clock.createProcessClock(new SimProcess(1, () => {}), 70)
  await time.step()
  time.schedule(30, () => {})
  await time.step()
  const b = clock.createProcessClock(new SimProcess(2, () => {}), 5)
  time.schedule(10, () => {})
  await time.step()
  assert.deepEqual([a.monotonic(), b.monotonic()], [110, 15])
})

test('wake-ups wait for a process that stands still, and never reach a dead one', async () => {
  const time = new VirtualTime()
  const clock = new MachineClock(time, 0)
  const woken: string[] = []
  const process = new SimProcess(1, () => {})
  const dead = new SimProcess(2, () => {})
  clock
    .createProcessClock(process, 0)
    .after(10)
    .elapsed.then(() => woken.push('first'))
  clock
    .createProcessClock(process, 0)
    .after(20)
    .elapsed.then(() => woken.push('second'))
  clock
    .createProcessClock(dead, 0)
    .after(10)
    .elapsed.then(() => woken.push('never'))
  process.freeze(0)
  void dead.simulateCrash('here')
  await drain(time)
  assert.deepEqual(woken, [])
  process.thaw()
  time.schedule(1, () => {})
  await drain(time)
  assert.deepEqual(woken, ['first', 'second'])
})

test('whoever waits for a process that stands still can give up on it, others need not', async () => {
  const process = new SimProcess(1, () => {})
  const first = process.lost
  process.freeze(0)
  process.hangUp()
  assert.equal(await first, 'lost')
  process.thaw()
  assert.equal(await Promise.race([process.lost, Promise.resolve('answered')]), 'answered')
})
