/** A COMMIT that the server carries out, and a wire that is cut before its answer comes back. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Loopback } from '../../adapters/postgres/loopback.test-support.ts'
import {
  createEmptyDatabase,
  describeWithServer,
  getServer,
  parseDatabaseName,
} from '../../adapters/postgres/testing.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../flow/flow-stage.test-support.ts'

type Wired = {
  readonly stage: FlowStage
  readonly wire: Loopback
  readonly address: string
  sends(): number
}

async function whileWired(body: (wired: Wired) => Promise<void>): Promise<void> {
  const address = await createEmptyDatabase()
  const { port } = await getServer()
  const wire = new Loopback(port)
  const store = address.replace(`:${port}/`, `:${await wire.listen()}/`)
  let sends = 0
  const stage = await flowStage({
    store,
    capabilities: [
      {
        ...exampleCapability(() => {
          sends += 1
        }),
        idempotency: { carrier: 'header', window_s: 86_400 },
        resources: () => [{ id: 'till', amount: '1' }],
      },
    ],
  })
  try {
    await stage.deploy()
    await body({ stage, wire, address, sends: () => sends })
    await stage.close()
  } finally {
    await stage.runtime().close()
    wire.close()
  }
}

/** The COMMIT of the next unit that dispatches is the last of its connection. */
function cutAtDispatch({ stage, wire }: Wired, before: () => Promise<unknown>): void {
  const { store } = stage.engine().context
  const commit = store.commit.bind(store)
  store.commit = async (unit) => {
    if (!unit.writes.some((write) => write.kind === 'append' && write.entry === 'dispatch'))
      return commit(unit)
    store.commit = commit
    await before()
    wire.arm('answered')
    return commit(unit)
  }
}

async function assertDone({ stage, wire, sends }: Wired, dfid: string): Promise<void> {
  const { store } = stage.runtime()
  const [row] = await store.listExecutions({ dfid, limit: 1 })
  assert.equal(row?.status, 'SUCCESS')
  assert.equal(sends(), 1)
  assert.equal(wire.cuts, 1)
  assert.equal((await store.listRecords('lock', 'till', { limit: 10 })).length, 0)
}

describeWithServer('a wire that is cut after COMMIT', () => {
  it('finding 19a: the step goes on at once where the server can be asked what became of it', async () => {
    await whileWired(async (wired) => {
      const flow = await wired.stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
      cutAtDispatch(wired, async () => {})
      assert.equal((await flow.propose(refund())).outcome, 'ACCEPTED')
      await assertDone(wired, flow.dfid)
    })
  })

  it('finding 19a: where nobody can be asked, it does not stay DISPATCHED until a restart', async () => {
    await whileWired(async (wired) => {
      const { clock, engine, runtime } = wired.stage
      const one = await getServer()
      // Whoever is in stays in; nobody comes in again.
      const admit = (allowed: boolean): Promise<unknown> => {
        const name = parseDatabaseName(wired.address)
        return one.query('postgres', `ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${allowed}`)
      }
      const flow = await runtime().open({ agent: AGENT, trigger: 'ticket' })
      cutAtDispatch(wired, () => admit(false))
      await assert.rejects(flow.propose(refund()), /no answer to a COMMIT/)
      await admit(true)
      const [row] = await runtime().store.listExecutions({ dfid: flow.dfid, limit: 1 })
      assert.deepEqual([row?.status, wired.sends()], ['DISPATCHED', 0])
      await engine().reconcile()
      await clock.advance(5_000)
      await engine().reconcile()
      await assertDone(wired, flow.dfid)
    })
  })
})
