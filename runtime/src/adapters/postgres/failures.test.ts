/** What a store promises when the server, the way to it, or another process fails. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { it } from 'node:test'
import { AUTHORITY, MAIN } from 'rubicon-kernel'
import {
  begin,
  buildGuardedUnit,
  buildNote,
  commit,
  putExecution,
  putFlow,
  toDfid,
} from '../../ports/conformance/fixture.ts'
import { assertChained } from '../../ports/conformance/ledger.ts'
import { type Guard, type Store, StoreError, type Write } from '../../ports/store.ts'
import { Loopback } from './loopback.test-support.ts'
import { createFreshDatabase, describeWithServer, getServer, open } from './testing.ts'

const alive = (epoch: number): Guard => ({ kind: 'engine_epoch', epoch })
const count: readonly Write[] = [{ kind: 'count', id: 'c', by: 1 }]

function lostPlace(error: unknown): boolean {
  equal(error instanceof StoreError && error.code, 'STORE_ERROR')
  match(String(error), /has declared this one dead/)
  return true
}

async function behind(address: string): Promise<{ wire: Loopback; through: string }> {
  const { port } = await getServer()
  const wire = new Loopback(port)
  const through = address.replace(`:${port}/`, `:${await wire.listen()}/`)
  return { wire, through }
}

/** Every entry, claim and count that a unit of this kind makes, together or not at all. */
function unitOf(n: number): readonly Write[] {
  const counted: Write = { kind: 'count', id: 'units', by: 1 }
  return [buildNote(MAIN, n, toDfid(n)), putFlow(n), putExecution(n, 'a'), counted]
}

/** What is there of the units: each number once, with all its rows. */
async function unitsIn(store: Store): Promise<Set<number>> {
  await store.integrate()
  const leaves = await store.listLeaves(0, 100_000)
  assertChained(leaves)
  const found = new Set<number>()
  for (const { envelope, payload } of leaves) {
    if (envelope.dfid === undefined) continue
    const { n } = JSON.parse(payload ?? 'null') as { readonly n: number }
    equal(found.has(n), false, `unit ${n} is there twice`)
    found.add(n)
  }
  const flows = new Set((await store.listFlows({ limit: 100_000 })).map(({ dfid }) => dfid))
  const steps = new Set((await store.listExecutions({ limit: 100_000 })).map(({ dfid }) => dfid))
  const expected = new Set([...found].map(toDfid))
  deepEqual(flows, expected)
  deepEqual(steps, expected)
  equal(await store.readCounter('units'), found.size)
  return found
}

describeWithServer('a connection that is cut', () => {
  for (const cut of ['answered', 'unheard'] as const) {
    it(`during COMMIT (${cut}): every unit is there once, and answered so`, async () => {
      const address = await createFreshDatabase()
      const { wire, through } = await behind(address)
      const [store, witness] = [await open(through), await open(address)]
      await begin(store)
      wire.arm(cut)
      const units = Array.from({ length: 20 }, (_, n) => commit(store, unitOf(n)))
      const outcomes = await Promise.all(units)
      equal(wire.cuts, 1)
      for (const outcome of outcomes) equal(outcome.ok, true)
      equal((await unitsIn(witness)).size, 20)
      const entries = outcomes.flatMap((outcome) => (outcome.ok ? outcome.entries : []))
      for (const { trajectory, seq, id } of entries) {
        equal((await witness.listEntries(trajectory, seq, 1))[0]?.id, id)
      }
      equal((await commit(store, unitOf(99))).ok, true)
      await store.close()
      wire.close()
    })
  }

  it('for good: units reject, and the store says that it does not know', async () => {
    const address = await createFreshDatabase()
    const { wire, through } = await behind(address)
    const [store, witness] = [await open(through, { reachMs: 300 }), await open(address)]
    await begin(store)
    wire.arm('answered')
    const unit = commit(store, unitOf(1))
    while (wire.cuts === 0) await witness.listHeads()
    wire.isolate()
    await rejects(unit, (error) => {
      equal(error instanceof StoreError && error.code, 'STORE_ERROR')
      match(error instanceof StoreError ? error.fix : '', /is not known/)
      return true
    })
    await store.close()
    wire.close()
  })

  it('while it reads or waits: nobody notices', async () => {
    const { wire, through } = await behind(await createFreshDatabase())
    const store = await open(through)
    await begin(store)
    for (let n = 0; n < 3; n += 1) {
      wire.isolate()
      wire.restore()
      equal((await store.listHeads()).length, 2)
      wire.isolate()
      wire.restore()
      equal((await commit(store, unitOf(n))).ok, true)
    }
    equal((await unitsIn(store)).size, 3)
    await store.close()
    wire.close()
  })
})

describeWithServer('a server that dies', () => {
  it('loses nothing that was acknowledged, and keeps no half of a unit (S1, S5)', async () => {
    const one = await getServer()
    const address = await createFreshDatabase()
    const stores = [await open(address), await open(address), await open(address)]
    await begin(stores[0] as Store)
    const acknowledged = new Set<number>()
    let number = 0
    let over = false
    const lane = async (store: Store): Promise<void> => {
      while (!over) {
        number += 1
        const n = number
        const outcome = await commit(store, unitOf(n)).catch((error: unknown) => {
          equal(error instanceof StoreError, true, String(error))
        })
        if (outcome?.ok) acknowledged.add(n)
      }
    }
    const lanes = stores.flatMap((store) => Array.from({ length: 8 }, () => lane(store)))
    for (let crash = 0; crash < 3; crash += 1) {
      const before = acknowledged.size
      while (acknowledged.size < before + 100) await new Promise(setImmediate)
      await one.stop('immediate')
      await one.start()
    }
    over = true
    await Promise.all(lanes)
    const there = await unitsIn(stores[1] as Store)
    deepEqual(
      [...acknowledged].filter((n) => !there.has(n)),
      [],
    )
  })
})

describeWithServer('engines', () => {
  it('of a process that was killed have ended, and pass no guard', async () => {
    const address = await createFreshDatabase()
    const store = await open(address)
    const { child, epoch } = await otherProcess(address)
    equal(epoch, store.epoch + 1)
    deepEqual(await store.listEndedEpochs([epoch]), [])
    equal((await store.commit(buildGuardedUnit(alive(epoch)))).ok, true)
    child.kill('SIGKILL')
    while ((await store.listEndedEpochs([epoch])).length === 0);
    deepEqual(await store.listEndedEpochs([store.epoch, epoch]), [epoch])
    const guard = alive(epoch)
    deepEqual(await store.commit(buildGuardedUnit(guard, count)), { ok: false, failed: guard })
    equal(await store.readCounter('c'), 0)
  })

  it('that were stopped, but live, have not ended', async () => {
    const address = await createFreshDatabase()
    const store = await open(address)
    const { child, epoch } = await otherProcess(address)
    child.kill('SIGSTOP')
    deepEqual(await store.listEndedEpochs([epoch]), [])
    child.kill('SIGKILL')
  })

  it('that were closed have ended at once', async () => {
    const address = await createFreshDatabase()
    const [store, other] = [await open(address), await open(address)]
    const { epoch } = other
    await other.close()
    deepEqual(await store.listEndedEpochs([epoch]), [epoch])
  })

  it('that nobody hears of are declared dead, and write no more', async () => {
    const address = await createFreshDatabase()
    const { wire, through } = await behind(address)
    const [cutOff, store] = [await open(through), await open(address)]
    await begin(store)
    equal((await commit(cutOff, [buildNote(MAIN, 1)])).ok, true)
    wire.isolate()
    while ((await store.listEndedEpochs([cutOff.epoch])).length === 0);
    wire.restore()
    await rejects(commit(cutOff, [buildNote(MAIN, 2)]), lostPlace)
    await rejects(commit(cutOff, [buildNote(AUTHORITY, 2)]), lostPlace)
    equal((await store.listEntries(MAIN, 0, 10)).length, 2)
    // It still reads.
    equal((await cutOff.listHeads()).length, 2)
    await cutOff.close()
    wire.close()
  })

  it('keep their place over a cut that nobody saw', async () => {
    const address = await createFreshDatabase()
    const { wire, through } = await behind(address)
    const [store, other] = [await open(through), await open(address)]
    await begin(store)
    wire.isolate()
    wire.restore()
    equal((await store.commit(buildGuardedUnit(alive(store.epoch), [buildNote(MAIN, 1)]))).ok, true)
    // As soon as the lock is held again nobody can declare it dead.
    const held = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    const name = address.slice(address.lastIndexOf('/') + 1)
    while ((await (await getServer()).query(name, held)).length < 2);
    deepEqual(await other.listEndedEpochs([store.epoch]), [])
    equal((await commit(store, [buildNote(MAIN, 2)])).ok, true)
    await store.close()
    wire.close()
  })

  it('are declared dead by nobody right after a start of the server', async () => {
    const address = await createFreshDatabase()
    const { child, epoch } = await otherProcess(address)
    const store = await open(address, { graceMs: 3_600_000 })
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    deepEqual(await store.listEndedEpochs([epoch]), [])
    equal((await store.commit(buildGuardedUnit(alive(epoch)))).ok, true)
  })
})

/** A process that has the store open until it is killed. */
async function otherProcess(
  address: string,
): Promise<{ readonly child: ReturnType<typeof spawn>; readonly epoch: number }> {
  const script = `import { openTestStore } from ${JSON.stringify(new URL('open-at.ts', import.meta.url))}
    const store = await openTestStore(${JSON.stringify(address)})
    console.log(store.epoch)
    setInterval(() => {}, 1000)`
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const epoch = await new Promise<number>((resolve) => {
    child.stdout.once('data', (data) => resolve(Number(data)))
  })
  return { child, epoch }
}
