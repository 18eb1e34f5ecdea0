import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRuntime } from '../../../runtime/src/compose.ts'
import { handClock } from '../../../runtime/src/engine/flow/hand-clock.test-support.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { startDemoTraffic } from './demo-traffic.ts'
import { refundCapability } from './refunds.ts'

test('demo traffic starts though nobody carries out what is decided', async () => {
  // Its time stands still: whoever waits for an effect waits for ever.
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    clock: handClock(),
    background: false,
    executors: 'elsewhere',
    capabilities: [refundCapability([])],
  })
  const demo = await startDemoTraffic(runtime)
  const executions = await runtime.store.listExecutions({ limit: 10 })
  assert.deepEqual(
    executions.map(({ status }) => status),
    ['ACCEPTED', 'ACCEPTED'],
  )
  await demo.stop()
  await runtime.close()
})
