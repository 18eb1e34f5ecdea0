/** A store that a runtime has left with a flow that a soft guard flagged. */
import { join } from 'node:path'
import { createRuntime } from '../../../runtime/src/compose.ts'
import { CONTRACT, exampleCapability } from '../../../runtime/src/evidence/example.test-support.ts'

export async function leaveFlagged(folder: string): Promise<string> {
  const runtime = await createRuntime({
    store: `sqlite:${join(folder, 'rubicon.db')}`,
    stateDirectory: join(folder, 'state'),
    background: false,
    capabilities: [exampleCapability(() => {})],
    softGuards: [{ name: 'story', check: async () => ({ mismatch: true, why: 'odd \u001b[2J' }) }],
  })
  await runtime.deploy(CONTRACT)
  const flow = await runtime.open({ agent: CONTRACT.agent_id as string, trigger: 'test' })
  await flow.propose({ policy_kind: 'REFUND', params: { order: 'o', amount: '1.00' } })
  await runtime.engine.context.advisers.guards.awaitSettled()
  await runtime.close()
  return flow.dfid
}
