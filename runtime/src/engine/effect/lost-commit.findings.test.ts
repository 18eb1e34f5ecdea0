/** A COMMIT whose answer is lost: what it made durable is found, also by the engine that made it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { StoreError, type Unit } from '../../ports/store.ts'
import { sagaStage } from '../compensate/saga-stage.test-support.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../flow/flow-stage.test-support.ts'

/** The next unit that writes such an entry is durable, and its answer never comes. */
function loseAnswer({ engine }: Pick<FlowStage, 'engine'>, entry: string): void {
  const { store } = engine().context
  const commit = store.commit.bind(store)
  const isIt = ({ writes }: Unit): boolean =>
    writes.some((write) => write.kind === 'append' && write.entry === entry)
  store.commit = async (unit) => {
    if (!isIt(unit)) return commit(unit)
    store.commit = commit
    await commit(unit)
    throw new StoreError(
      'STORE_ERROR',
      'the server went away',
      'whether it is durable is not known',
    )
  }
}

async function statusOf(stage: FlowStage, dfid: string): Promise<string | undefined> {
  const [row] = await stage.runtime().store.listExecutions({ dfid, limit: 1 })
  return row?.status
}

test('finding 19a: a step whose COMMIT was not answered does not stay DISPATCHED until a restart', async () => {
  let sends = 0
  const stage = await flowStage({
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
  await stage.deploy()
  const { dfid, propose } = await opened(stage)
  loseAnswer(stage, 'dispatch')
  await assert.rejects(propose(), /went away/)
  assert.equal(await statusOf(stage, dfid), 'DISPATCHED')
  assert.equal(sends, 0)
  await stage.engine().reconcile()
  assert.equal(await statusOf(stage, dfid), 'UNKNOWN', 'it may have been sent: it is looked into')
  await stage.clock.advance(5_000)
  await stage.engine().reconcile()
  assert.equal(await statusOf(stage, dfid), 'SUCCESS')
  assert.equal(sends, 1)
  const locks = await stage.runtime().store.listRecords('lock', 'till', { limit: 10 })
  assert.equal(locks.length, 0, 'the resource is free again')
  await stage.close()
})

async function opened(
  stage: FlowStage,
): Promise<{ readonly dfid: string; readonly propose: () => Promise<unknown> }> {
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  return { dfid: flow.dfid, propose: () => flow.propose(refund()) }
}

test('finding 19a: what takes back does not stay DISPATCHED either', async () => {
  const stage = await sagaStage()
  const dfid = await stage.half()
  const desk = await stage.desk()
  // The first dispatch is that of the choice.
  let seen = 0
  const { store } = stage.engine().context
  const commit = store.commit.bind(store)
  store.commit = async (unit) => {
    const undoes = unit.writes.some(
      (write) => write.kind === 'append' && write.entry === 'dispatch' && write.dfid === dfid,
    )
    const outcome = await commit(unit)
    if (!undoes || seen > 0) return outcome
    seen += 1
    throw new StoreError(
      'STORE_ERROR',
      'the server went away',
      'whether it is durable is not known',
    )
  }
  await desk.compensate(dfid, 'REVERT').catch(() => {})
  store.commit = commit
  assert.equal(seen, 1)
  for (let round = 0; round < 6; round++) {
    await stage.clock.advance(5_000)
    await stage.engine().reconcile()
  }
  assert.deepEqual((await stage.flow(dfid)).tags, ['COMPENSATED'])
  await stage.close()
})

test('an effect that is under way is left to whoever waits for it', async () => {
  const answered = Promise.withResolvers<void>()
  const example = exampleCapability(() => {})
  const stage = await flowStage({
    capabilities: [
      {
        ...example,
        execute: async (intent, io) => {
          await answered.promise
          return example.execute(intent, io)
        },
      },
    ],
  })
  await stage.deploy()
  const { dfid, propose } = await opened(stage)
  const answer = propose()
  while ((await statusOf(stage, dfid)) !== 'DISPATCHED') await stage.clock.advance(0)
  await stage.engine().reconcile()
  assert.equal(await statusOf(stage, dfid), 'DISPATCHED')
  answered.resolve()
  await answer
  assert.equal(await statusOf(stage, dfid), 'SUCCESS')
  await stage.close()
})
