import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { MAIN } from 'rubicon-kernel'
import { assertChained } from '../../ports/conformance/ledger.ts'
import { StoreError } from '../../ports/store.ts'
import { openTestStore } from './open-at.ts'
import { buildProcessOptions, createTemporaryPath } from './testing.ts'

const locked = (error: unknown) => {
  equal(error instanceof StoreError && error.code, 'STORE_LOCKED', String(error))
  match(String(error), /in use by another process/)
  return true
}

describe('ownership', () => {
  it('is refused to a second owner in the same process, by any spelling of the path', async () => {
    const path = createTemporaryPath()
    const store = await openTestStore(path)
    const link = join(dirname(path), 'link.db')
    symlinkSync(path, link)
    await rejects(openTestStore(path), locked)
    await rejects(openTestStore(link), locked)
    await store.close()
    const next = await openTestStore(link)
    await next.close()
  })

  it('is refused to a second process, and ends with a process that is killed', async () => {
    const path = createTemporaryPath()
    const child = writer(path)
    await firstLine(child)
    await rejects(openTestStore(path), locked)
    const reader = await openTestStore(path, { mode: 'read' })
    equal((await reader.countLeaves()) >= 2, true)
    await reader.close()
    await kill(child)
    const store = await openTestStore(path)
    equal(store.epoch, 2)
    await store.close()
  })

  it('of an engine is not declared over by who only reads', async () => {
    const path = createTemporaryPath()
    const owner = await openTestStore(path)
    const reader = await openTestStore(path, { mode: 'read' })
    deepEqual(await reader.listEndedEpochs([owner.epoch]), [])
    deepEqual(await owner.listEndedEpochs([owner.epoch]), [])
    const body = { value: 1, updated_at: 'x' }
    const ref = { record: 'agent_state', group: 'agents', key: 'trader' } as const
    await owner.commit({ guards: [], writes: [{ kind: 'put_record', ...ref, body }] })
    deepEqual((await reader.readRecord('agent_state', 'agents', 'trader'))?.body, body)
    await reader.integrate()
    await reader.close()
    await owner.close()
  })
})

describe('durability', () => {
  for (const afterLines of [1, 40, 400]) {
    it(`finds every acknowledged unit after SIGKILL (${afterLines} lines) (S1)`, async () => {
      const path = createTemporaryPath()
      const child = writer(path)
      const acknowledged = new Map<number, string>()
      for await (const line of linesOf(child)) {
        const [seq, id] = line.split(' ')
        acknowledged.set(Number(seq), String(id))
        if (acknowledged.size === afterLines) child.kill('SIGKILL')
      }
      const store = await openTestStore(path)
      const entries = await store.listEntries(MAIN, 0, 1_000_000)
      equal(acknowledged.size >= afterLines, true)
      for (const [seq, id] of acknowledged) equal(entries[seq]?.id, id)
      await store.integrate()
      assertChained(await store.listLeaves(0, 1_000_000))
      // A unit appends and counts: neither is there without the other.
      equal(await store.readCounter('units'), entries.length - 1)
      await store.close()
    })
  }
})

/** Writes for ever, 16 units at a time, and says which entries were acknowledged. */
function writer(path: string): ChildProcess {
  const testing = new URL('./open-at.ts', import.meta.url).href
  const fixture = new URL('../../ports/conformance/fixture.ts', import.meta.url).href
  const script = `
    import { openTestStore } from ${JSON.stringify(testing)}
    import { begin, buildNote, commit } from ${JSON.stringify(fixture)}
    const store = await openTestStore(${JSON.stringify(path)})
    await begin(store)
    const write = async () => {
      for (;;) {
        const count = { kind: 'count', id: 'units', by: 1 }
        const { entries } = await commit(store, [buildNote('main', 1), count])
        console.log(entries[0].seq + ' ' + entries[0].id)
      }
    }
    await Promise.all(Array.from({ length: 16 }, write))`
  const { flags, env } = buildProcessOptions(script)
  return spawn(process.execPath, flags, { env, stdio: ['ignore', 'pipe', 'inherit'] })
}

async function* linesOf(child: ChildProcess): AsyncIterable<string> {
  if (child.stdout === null) return
  yield* createInterface({ input: child.stdout })
}

async function firstLine(child: ChildProcess): Promise<void> {
  const { stdout } = child
  if (stdout === null) return
  await new Promise((resolve) => stdout.once('data', resolve))
  stdout.resume()
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}
