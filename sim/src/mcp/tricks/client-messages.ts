/** Clients that speak the protocol as nobody should, or go away in the middle. */
import type { JsonObject } from 'rubicon-kernel'
import type { McpTrick, TrickStage } from '../trick.ts'

const NONE = [0, 0] as const
const SLOW = {
  call: [{ do: 'wait', ms: 60 }, { do: 'effect' }, { do: 'answer', result: { content: [] } }],
} as const
/** Long enough for a program to have been started and called. */
const WHILE_MS = 1_500

async function waitFor(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}

/** Words of its own, and then a payment as by anybody: what came before does not disturb it. */
function writing(name: string, write: (stage: TrickStage) => string): McpTrick {
  return {
    name,
    by: 'client',
    async play(stage) {
      stage.wire.write(write(stage))
      await stage.call('pay')
    },
    comesTo: ['ANSWERED', 'SUCCESS'],
    effects: [1, 1],
  }
}

/** A request that the gateway has no answer for. */
function asking(name: string, method: string, params: JsonObject): McpTrick {
  return {
    name,
    by: 'client',
    async play(stage) {
      const { id } = stage.buildCall('pay')
      stage.wire.say({ id, method, params })
      stage.note(await stage.wire.waitFor(id))
    },
    comesTo: [['-32601', '-32602', '-32603', '-32002']],
    effects: NONE,
  }
}

function toLine(message: unknown): string {
  return `${JSON.stringify(message)}\n`
}

export const CLIENT_MESSAGES: readonly McpTrick[] = [
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
  {
    name: 'reuses-an-id-at-once',
    by: 'client',
    plan: () => SLOW,
    async play(stage) {
      const first = stage.buildCall('pay')
      const second = stage.buildCall('pay')
      stage.wire.say(first)
      stage.wire.say({ ...second, id: first.id })
      await stage.wire.waitFor(first.id)
      await waitFor(WHILE_MS)
    },
    comesTo: [],
    effects: [0, 2],
  },
  {
    name: 'reuses-an-id-later',
    by: 'client',
    async play(stage) {
      const first = stage.buildCall('pay')
      stage.wire.say(first)
      await stage.wire.waitFor(first.id)
      const heard = stage.wire.heard.length
      stage.wire.say({ ...stage.buildCall('pay'), id: first.id })
      await stage.wire.waitFor(first.id, heard)
    },
    comesTo: [],
    effects: [1, 2],
  },
  {
    name: 'reuses-the-id-of-what-waits',
    by: 'client',
    async play(stage) {
      const first = stage.buildCall('wipe')
      stage.wire.say(first)
      stage.note(await stage.wire.waitFor(first.id))
      stage.wire.say({ ...stage.buildCall('wipe'), id: first.id })
      await waitFor(100)
    },
    comesTo: ['PENDING_APPROVAL'],
    effects: NONE,
  },
  {
    name: 'many-at-once',
    by: 'client',
    async play(stage) {
      const asked = Array.from({ length: 12 }, () => stage.buildCall('pay'))
      for (const one of asked) stage.wire.say(one)
      for (const { id } of asked) stage.note(await stage.wire.waitFor(id))
    },
    comesTo: ['ANSWERED'],
    effects: [1, 12],
  },
  {
    name: 'sends-a-batch',
    by: 'client',
    async play(stage) {
      const batch = [stage.buildCall('pay'), stage.buildCall('wipe'), stage.buildCall('drain')]
      stage.wire.write(toLine(batch.map((one) => ({ jsonrpc: '2.0', ...one }))))
      await waitFor(200)
      await stage.call('pay')
    },
    comesTo: ['ANSWERED'],
    effects: [1, 2],
  },
  {
    name: 'sends-ten-megabytes',
    by: 'client',
    async play(stage) {
      const other = await stage.connect()
      const text = JSON.stringify({ jsonrpc: '2.0', ...stage.buildCall('pay') })
      other.write(`${text.slice(0, -1)},"x":"${'x'.repeat(11_000_000)}"}\n`)
      await waitFor(100)
      await stage.call('pay')
    },
    comesTo: ['ANSWERED'],
    effects: [1, 1],
  },
  {
    name: 'sends-an-argument-of-megabytes',
    by: 'client',
    async play(stage) {
      const asked = stage.buildCall('pay', { ref: 'x'.repeat(3_000_000) })
      stage.wire.say(asked)
      await stage.wire.waitFor(asked.id, 0, 5_000)
      await stage.call('pay')
    },
    comesTo: ['ANSWERED'],
    effects: [1, 1],
  },
  {
    name: 'sends-half-and-goes-away',
    by: 'client',
    async play(stage) {
      const other = await stage.connect()
      other.write(JSON.stringify({ jsonrpc: '2.0', ...stage.buildCall('pay') }))
      await other.leave()
      await waitFor(200)
    },
    comesTo: [],
    effects: NONE,
  },
  {
    name: 'calls-without-an-id',
    by: 'client',
    async play(stage) {
      const { id: _, ...rest } = stage.buildCall('pay')
      stage.wire.say(rest)
      await waitFor(300)
    },
    comesTo: [],
    effects: NONE,
  },
  {
    name: 'calls-with-an-id-of-no-kind',
    by: 'client',
    async play(stage) {
      for (const id of [null, 1.5, {}, []]) stage.wire.say({ ...stage.buildCall('wipe'), id })
      await waitFor(100)
    },
    comesTo: [],
    effects: NONE,
  },
  {
    name: 'greets-twice',
    by: 'client',
    async play(stage) {
      await stage.wire.greet()
      await stage.call('pay')
    },
    comesTo: ['ANSWERED'],
    effects: [1, 1],
  },
  {
    name: 'says-an-amount-twice',
    by: 'client',
    async play(stage) {
      for (const amounts of ['"amount":1,"amount":1000', '"amount":1000,"amount":1']) {
        const { id } = stage.buildCall('pay')
        const args = `{"ref":"${stage.drawRef()}",${amounts}}`
        const params = `{"name":"${stage.prefix}pay","arguments":${args}}`
        stage.wire.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`)
        stage.note(await stage.wire.waitFor(id))
      }
    },
    comesTo: ['LIMIT_EXCEEDED'],
    effects: [0, 1],
  },
  {
    name: 'arguments-with-a-prototype',
    by: 'client',
    async play(stage) {
      const { id } = stage.buildCall('pay')
      const args = `{"ref":"${stage.drawRef()}","__proto__":{"amount":1}}`
      const params = `{"name":"${stage.prefix}pay","arguments":${args}}`
      stage.wire.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`)
      stage.note(await stage.wire.waitFor(id, 0, 3_000))
    },
    comesTo: [],
    effects: NONE,
  },
  {
    name: 'arguments-that-are-none',
    by: 'client',
    async play(stage) {
      for (const given of ['pay', 5, [], null]) {
        const { id } = stage.buildCall('pay')
        const params = { name: `${stage.prefix}pay`, arguments: given }
        stage.wire.say({ id, method: 'tools/call', params })
        stage.note(await stage.wire.waitFor(id, 0, 3_000))
      }
    },
    comesTo: [['ARGUMENTS_INVALID', '-32602', '-32603']],
    effects: NONE,
  },
  writing('sends-no-json', () => 'pay everybody\n{"jsonrpc":\n\n'),
  writing('answers-what-nobody-asked', () =>
    toLine({ jsonrpc: '2.0', id: 1, result: { content: [] } }),
  ),
  writing('speaks-another-protocol', ({ buildCall }) =>
    toLine({ ...buildCall('wipe'), jsonrpc: '1.0' }),
  ),
  writing('notifies-of-what-it-likes', () =>
    toLine({ jsonrpc: '2.0', method: 'notifications/approved', params: { dfid: 'x' } }),
  ),
  writing('sends-depth', () => `${'['.repeat(50_000)}${']'.repeat(50_000)}\n`),
  asking('unknown-method', 'rubicon/approve', { dfid: 'x' }),
  asking('method-of-a-server', 'sampling/createMessage', { messages: [], maxTokens: 1 }),
  asking('method-of-nothing', '__proto__', {}),
]
