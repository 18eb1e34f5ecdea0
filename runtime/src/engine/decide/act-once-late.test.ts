/** Calls whose process is slow to look at the record: what is over by then was under way when they came. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, type TestContext, test } from 'node:test'
import { createEmptyDatabase, describeWithServer } from '../../adapters/postgres/testing.ts'
import { createRuntime, type Runtime } from '../../compose.ts'
import { CONTRACT, exampleCapability } from '../../evidence/example.test-support.ts'
import type { Store, Unit } from '../../ports/store.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { handClock } from '../flow/hand-clock.test-support.ts'
import type { ActedOnce } from './act-once.ts'

/** Some engines on one store, and what they sent. */
type Place = {
  readonly sent: unknown[]
  readonly clock: ReturnType<typeof handClock>
  /** Somebody sets the clock. What is measured goes on as it did. */
  step(ms: number): void
  open(): Promise<Runtime>
}

function createPlace(t: TestContext, store: string): Place {
  const sent: unknown[] = []
  const clock = handClock()
  let stepped = 0
  const stateDirectory = join(temporaryFolder(), 'state')
  const capability = {
    ...exampleCapability(() => {}),
    execute({ params }: { readonly params: { readonly order?: unknown } }) {
      sent.push(params.order)
      return { result: 'done' }
    },
  }
  const capabilities = [capability]
  return {
    sent,
    clock,
    step(ms) {
      stepped += ms
    },
    async open() {
      const set = { ...clock, now: () => clock.now() + stepped }
      const given = { store, stateDirectory, capabilities, clock: set, background: false }
      const runtime = await createRuntime({ ...given, report: () => {} })
      t.after(() => runtime.close())
      await runtime.start()
      return runtime
    },
  }
}

const ask = (runtime: Runtime): Promise<ActedOnce> =>
  runtime.actOnce(
    {
      agent: 'refunds_bot',
      trigger: 'ticket',
      policy_kind: 'REFUND',
      params: { order: 'o-1', amount: '20.00' },
    },
    {},
  )

const isLatest = (key: string): boolean => key.startsWith('same ')

/** Whoever looks for the latest that asked for the same waits for it, until it is let go. */
function holdLook(store: Store): { readonly looked: Promise<void>; letGo(): void } {
  const looked = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const readRecord = store.readRecord.bind(store)
  store.readRecord = async (record, group, key) => {
    if (isLatest(key)) {
      store.readRecord = readRecord
      looked.resolve()
      await free.promise
    }
    return readRecord(record, group, key)
  }
  return { looked: looked.promise, letGo: free.resolve }
}

const isOpening = ({ writes }: Unit): boolean =>
  writes.some((write) => write.kind === 'put_record' && isLatest(write.key))
const isSettling = ({ writes }: Unit): boolean =>
  writes.some(({ kind }) => kind === 'append_commit')

/** The unit that opens a call waits before it is written, or the one that settles it when it is, until it is let go. */
function holdCommit(store: Store, when: 'before' | 'after'): ReturnType<typeof holdLook> {
  const isHeld = when === 'before' ? isOpening : isSettling
  const looked = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const commit = store.commit.bind(store)
  store.commit = async (unit) => {
    if (!isHeld(unit)) return commit(unit)
    store.commit = commit
    const written = when === 'after' ? await commit(unit) : null
    looked.resolve()
    await free.promise
    return written ?? commit(unit)
  }
  return { looked: looked.promise, letGo: free.resolve }
}

/** The second call comes, and is slow to look; meanwhile the first is made, and over. */
async function overtake(here: Runtime, slow: Runtime, passes: () => Promise<void>): Promise<void> {
  const look = holdLook(slow.store)
  const late = ask(slow)
  await look.looked
  const first = await ask(here)
  assert.equal(first.answer.execution?.status, 'SUCCESS')
  await passes()
  look.letGo()
  assert.deepEqual(await late, { answer: first.answer, repeated: true })
}

const STORES = {
  memory: () => 'memory',
  SQLite: () => `sqlite:${join(temporaryFolder(), 'store.db')}`,
}

for (const [name, toStore] of Object.entries(STORES)) {
  test(`a call that came before an act was over is that act, however late it looks (${name})`, async (t) => {
    const { sent, clock, open } = createPlace(t, toStore())
    const runtime = await open()
    await runtime.deploy({ ...CONTRACT })
    await overtake(runtime, runtime, () => clock.advance(60_000))
    assert.deepEqual(sent, ['o-1'])
    for (const next of [await ask(runtime), await ask(runtime)])
      assert.equal(
        next.repeated,
        false,
        'it came when the others were over, in the same millisecond',
      )
    assert.equal(sent.length, 3)
  })
}

test('a call that comes before an act is answered is that act, though the record says that it is over', async (t) => {
  const { sent, clock, open } = createPlace(t, 'memory')
  const runtime = await open()
  await runtime.deploy({ ...CONTRACT })
  const held = holdCommit(runtime.store, 'after')
  const first = ask(runtime)
  await held.looked
  await clock.advance(10)
  const second = await ask(runtime)
  held.letGo()
  assert.deepEqual(second, { answer: (await first).answer, repeated: true })
  assert.deepEqual(sent, ['o-1'])
})

describeWithServer('late looks on Postgres', () => {
  it('a call that came before an act of another engine was over is that act, however late it looks', async (t) => {
    const { sent, clock, open } = createPlace(t, await createEmptyDatabase())
    const [here, slow] = [await open(), await open()]
    await here.deploy({ ...CONTRACT })
    await overtake(here, slow, () => clock.advance(60_000))
    assert.deepEqual(sent, ['o-1'])
    await clock.advance(1)
    for (const engine of [slow, here]) {
      assert.equal((await ask(engine)).repeated, false, 'the one before was over when it came')
      await clock.advance(1)
    }
    assert.equal(sent.length, 3)
  })

  it('a call that was overtaken by another engine is the act of that one, whatever the clock says', async (t) => {
    const { sent, step, open } = createPlace(t, await createEmptyDatabase())
    const [here, slow] = [await open(), await open()]
    await here.deploy({ ...CONTRACT })
    const held = holdCommit(slow.store, 'before')
    const late = ask(slow)
    await held.looked
    const first = await ask(here)
    step(10_000)
    held.letGo()
    assert.deepEqual(await late, { answer: first.answer, repeated: true })
    assert.deepEqual(sent, ['o-1'])
  })

  it('one that was dated in the millisecond in which a call came to another engine is that act', async (t) => {
    const { sent, open } = createPlace(t, await createEmptyDatabase())
    const [here, other] = [await open(), await open()]
    await here.deploy({ ...CONTRACT })
    const first = await ask(here)
    assert.deepEqual(await ask(other), { answer: first.answer, repeated: true })
    assert.deepEqual(sent, ['o-1'])
  })
})
