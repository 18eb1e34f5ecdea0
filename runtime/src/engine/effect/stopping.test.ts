import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../flow/flow-stage.test-support.ts'

const TURNS = 500

/** Ends the runtime when the engine gets to the point; an effect takes as long as that would. */
async function stopAt(
  point: string,
): Promise<{ readonly sent: readonly string[]; readonly statuses: readonly string[] }> {
  const sent: string[] = []
  let closing: Promise<void> | null = null
  let stage: FlowStage | null = null
  // Long enough for whatever does not wait.
  const passTurns = async (): Promise<void> => {
    for (let i = 0; i < TURNS; i += 1) await turn()
  }
  const it = await flowStage({
    capabilities: [
      {
        ...exampleCapability(() => {}),
        async execute() {
          sent.push('refund')
          await Promise.race([closing, passTurns()])
          return { result: {} }
        },
      },
    ],
    failpoints: {
      async reach(reached) {
        if (reached !== point || stage === null || closing !== null) return
        closing = stage.runtime().close()
        await Promise.race([closing, passTurns()])
      },
    },
  })
  stage = it
  await it.deploy()
  const flow = await it.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await flow.propose(refund()).catch(() => null)
  await closing
  await it.restart()
  const rows = await it.runtime().store.listExecutions({ limit: 10 })
  await it.close()
  return { sent, statuses: rows.map(({ status }) => status) }
}

test('a runtime that stops lets go of the store while an effect is on its way, and its outcome is lost', async () => {
  for (const point of [
    'propose.after_compile',
    'dispatch.before_commit',
    'dispatch.after_commit',
  ]) {
    const { sent, statuses } = await stopAt(point)
    assert.deepEqual(statuses, sent.length === 0 ? [] : ['SUCCESS'], point)
  }
})
