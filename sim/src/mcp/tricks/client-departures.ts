/** Clients that cancel what they asked for, or go away in the middle. */
import type { McpTrick } from '../trick.ts'
import { NONE, SLOW, WHILE_MS, waitFor } from './slow-server.ts'

export const CLIENT_DEPARTURES: readonly McpTrick[] = [
  {
    name: 'cancels-at-once',
    by: 'client',
    plan: () => SLOW,
    async play(stage) {
      const asked = stage.buildCall('pay')
      stage.wire.say(asked)
      stage.wire.say({ method: 'notifications/cancelled', params: { requestId: asked.id } })
      await waitFor(WHILE_MS)
    },
    comesTo: [],
    effects: [0, 1],
  },
  {
    name: 'cancels-in-the-middle',
    by: 'client',
    plan: () => ({
      call: [{ do: 'effect' }, { do: 'wait', ms: 300 }, { do: 'answer', result: { content: [] } }],
    }),
    async play(stage) {
      await stage.call('look')
      const asked = stage.buildCall('pay')
      stage.wire.say(asked)
      await waitFor(stage.rng.drawBelow(300))
      stage.wire.say({ method: 'notifications/cancelled', params: { requestId: asked.id } })
      await waitFor(600)
    },
    comesTo: [],
    effects: [0, 1],
  },
  {
    name: 'cancels-what-waits',
    by: 'client',
    async play(stage) {
      const asked = stage.buildCall('wipe')
      stage.wire.say(asked)
      stage.wire.say({ method: 'notifications/cancelled', params: { requestId: asked.id } })
      await waitFor(100)
    },
    comesTo: [],
    effects: NONE,
  },
  {
    name: 'goes-away-in-the-middle',
    by: 'client',
    plan: () => SLOW,
    async play(stage) {
      const other = await stage.connect()
      other.say(stage.buildCall('pay'))
      await waitFor(stage.rng.drawBelow(400))
      await other.leave()
      await waitFor(WHILE_MS)
    },
    comesTo: [],
    effects: [0, 1],
  },
  {
    name: 'goes-away-while-a-person-is-asked',
    by: 'client',
    async play(stage) {
      const other = await stage.connect()
      const asked = stage.buildCall('wipe')
      other.say(asked)
      await other.waitFor(asked.id)
      await other.leave()
      await stage.call('wipe')
    },
    comesTo: ['PENDING_APPROVAL'],
    effects: NONE,
  },
]
