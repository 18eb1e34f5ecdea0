/** Whoever may say something that others are woken by, and says it without end. */
import { buildContract } from '../../../../server/src/demo/contract.ts'
import { MALLORY } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const LISTENER = 'listener_bot'
const PATH = `claims.${MALLORY}.mood`
const OFTEN = 30

const CONTRACT = buildContract(LISTENER, ['NOTE'], {
  permissions: { accepts: { [PATH]: 'agent' }, subscriptions: [{ topic: PATH }], reads: [PATH] },
})

async function countWakeUps({ runtime }: Stage): Promise<number> {
  const due = await runtime.store.listRecords('timer', 'due', { limit: 1_000 })
  return due.filter(({ body }) => body.agent_id === LISTENER).length
}

export const WAKING_TRICKS: readonly Trick[] = [
  {
    name: 'wake_another_without_end',
    goal: 'unbounded_record',
    patch: 'wake-up-for-every-observation',
    async attempt(stage) {
      const { engine, wire } = stage
      stage.hear(await engine.deploy(CONTRACT))
      stage.hear(await engine.handshake({ agent: LISTENER }))
      for (let time = 0; time < OFTEN; time++) {
        const body = { path: PATH, value: `mood ${time}` }
        stage.hear((await wire.sendAs(MALLORY, 'POST', '/v1/observations', body)).body)
      }
      const count = await countWakeUps(stage)
      if (count !== 1)
        stage.taken.push({ goal: 'unbounded_record', detail: `${count} wake-ups are kept` })
      const end = { agent_id: LISTENER, to: 'RETIRED', actor: 'operator' } as const
      await engine.moveAgent({ ...end, justification: 'the trick is over' })
      await engine.runDue()
    },
  },
]
