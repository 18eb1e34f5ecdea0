/** A process that ends at a named place of a compensation: another finishes it, and nothing is done twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failpoint } from '../../ports/failpoint.ts'
import { newMarket, sagaStage } from './saga-stage.test-support.ts'

const POINTS: readonly Failpoint[] = [
  'compensate.before_choice',
  'compensate.after_choice',
  'compensate.before_dispatch',
  'compensate.after_dispatch',
  'compensate.before_finish',
  'compensate.after_finish',
]

for (const point of POINTS) {
  test(`a process that ends at ${point} leaves a compensation that another finishes`, async () => {
    let armed = false
    let dead = false
    const market = newMarket()
    const it = await sagaStage({
      market,
      failpoints: {
        // A process that has ended gets past no other place either.
        reach: (at) => {
          dead ||= armed && at === point
          if (dead) throw new Error('killed')
        },
      },
    })
    const dfid = await it.half()
    const desk = await it.desk()
    armed = true
    await assert.rejects(desk.compensate(dfid, 'REVERT'), /killed/)
    armed = false
    dead = false
    await it.restart()
    for (let round = 0; round < 6; round++) {
      await it.clock.advance(5_000)
      await it.engine().reconcile()
    }
    assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
    assert.deepEqual(await it.engine().oversight.dirtyFlows(), [])
    const keys = market.keys.filter((_, index) => market.calls[index] === 'undo SELL')
    assert.equal(new Set(keys).size, 1, 'it is undone under one key')
    const commits = (await it.entries(dfid)).filter(([, { compensates }]) => compensates)
    assert.equal(commits.length, 1)
    assert.equal((await it.row(desk.dfid, `compensate:${dfid}`))?.status, 'SUCCESS')
    await it.close()
  })
}

test('a process that ends with the word of a person recorded leaves a compensation that another goes on with', async () => {
  let armed = false
  const market = newMarket()
  const it = await sagaStage({
    market,
    failpoints: {
      reach: (at) => {
        if (armed && at === 'settle.after_commit') throw new Error('killed')
      },
    },
  })
  const dfid = await it.half()
  const desk = await it.desk()
  market.does = { 'undo SELL': 'refuse' }
  await desk.compensate(dfid, 'REVERT')
  assert.equal((await it.row(dfid, 'undo~sell'))?.status, 'MANUAL_REVIEW')
  armed = true
  const word = {
    outcome: 'applied',
    evidence: {},
    justification: 'the market took it back',
    by: 'jane',
  } as const
  const said = it.engine().oversight.resolveExecution(dfid, 'undo~sell', word)
  await assert.rejects(said, /killed/)
  armed = false
  await it.restart()
  await it.engine().reconcile()
  assert.equal((await it.row(dfid, 'undo~sell'))?.status, 'SUCCESS')
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  assert.deepEqual(await it.engine().oversight.dirtyFlows(), [])
  await it.close()
})
