/** Hands that look at their signal see that their time is over, also where no timer has rung yet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { type Effect, type EffectIo, NotApplied } from '../../ports/capability.ts'
import { AGENT, flowStage, refund } from '../flow/flow-stage.test-support.ts'

/** Whether hands that were stopped for so long before they sent would have sent. */
async function sendAfter(ms: number): Promise<boolean> {
  let isSent = false
  const stage = await flowStage({
    capabilities: [
      {
        ...exampleCapability(() => {}),
        execute(_, io: EffectIo): Effect {
          assert.equal(io.signal.aborted, false)
          // The time has passed; whoever is told of it has not been told yet.
          void stage.clock.advance(ms)
          if (io.signal.aborted) throw new NotApplied('too late')
          isSent = true
          return { result: 'done' }
        },
      },
    ],
  })
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await flow.propose(refund())
  await stage.close()
  return isSent
}

test('a signal that no timer has raised yet does not let a late send through', async () => {
  assert.equal(await sendAfter(29_999), true)
  assert.equal(await sendAfter(30_000), false)
  assert.equal(await sendAfter(3_600_000), false)
})
