/** A store that a runtime has left with something for a person to settle. */
import { join } from 'node:path'
import type { JsonObject } from 'rubicon-kernel'
import { createRuntime } from '../../../runtime/src/compose.ts'
import { CONTRACT } from '../../../runtime/src/evidence/example.test-support.ts'
import { type Capability, NotApplied } from '../../../runtime/src/ports/capability.ts'

function capability(kind: string, more: Partial<Capability>): Capability {
  const params: JsonObject = { type: 'object' }
  return { kind, effect: 'unsafe', risk: 'low', params, execute: () => ({}), ...more }
}

export type HalfDone = {
  /** A flow with an effect under review: `odd`. */
  readonly lost: string
  /** A dirty flow. */
  readonly half: string
}

export async function leaveHalfDone(folder: string): Promise<HalfDone> {
  const runtime = await createRuntime({
    store: `sqlite:${join(folder, 'rubicon.db')}`,
    stateDirectory: join(folder, 'state'),
    background: false,
    capabilities: [
      capability('GOOD', {}),
      capability('ODD', { postcondition: () => 'it is not as it should be' }),
      capability('BAD', {
        execute: () => {
          throw new NotApplied('no')
        },
      }),
    ],
  })
  await runtime.deploy({ ...CONTRACT, permissions: { policy_kinds: ['GOOD', 'ODD', 'BAD'] } })
  const agent = CONTRACT.agent_id as string
  const open = (): ReturnType<typeof runtime.open> =>
    runtime.open({ agent, trigger: 'test', steps: 'many' })
  const half = await open()
  const lost = await open()
  await lost.propose({ policy_kind: 'ODD', step_id: 'odd', params: {} })
  await runtime.engine.oversight.resolveDirty(lost.dfid, {
    outcome: 'abandon',
    evidence: {},
    justification: 'so that the other flow can go on',
    by: 'jane',
  })
  await half.propose({ policy_kind: 'GOOD', step_id: 'good', params: {} })
  await half.propose({ policy_kind: 'BAD', step_id: 'bad', params: {} })
  await runtime.close()
  return { lost: lost.dfid, half: half.dfid }
}
