/** Clients that speak the protocol as nobody should. */
import type { JsonObject } from 'rubicon-kernel'
import type { McpTrick, TrickStage } from '../trick.ts'
import { NONE, SLOW, WHILE_MS, waitFor } from './slow-server.ts'

/** Words of its own, and then a payment as by anybody: what came before does not disturb it. */
function buildWriteTrick(name: string, write: (stage: TrickStage) => string): McpTrick {
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
function buildAskTrick(name: string, method: string, params: JsonObject): McpTrick {
  return {
    name,
    by: 'client',
    async play(stage) {
      const { id } = stage.buildCall('pay')
      stage.wire.say({ id, method, params })
      stage.addWords(await stage.wire.waitFor(id))
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
    // One of them, whichever came to the runtime first; the other is refused.
    comesTo: [],
    effects: [0, 1],
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
      stage.addWords(await stage.wire.waitFor(first.id, heard))
    },
    comesTo: ['CALL_REUSED'],
    effects: [1, 1],
  },
  {
    name: 'sends-the-same-again-under-its-id',
    by: 'client',
    async play(stage) {
      const first = stage.buildCall('pay')
      for (let i = 0; i < 3; i += 1) {
        const heard = stage.wire.heard.length
        stage.wire.say(first)
        stage.addWords(await stage.wire.waitFor(first.id, heard))
      }
    },
    comesTo: ['ANSWERED', 'SUCCESS'],
    effects: [1, 1],
  },
  {
    name: 'sends-the-same-again-under-its-key',
    by: 'client',
    async play(stage) {
      const { params } = stage.buildCall('pay')
      const _meta = { 'rubicon/idempotencyKey': stage.drawRef() }
      for (let i = 0; i < 3; i += 1) {
        const { id, method = '' } = stage.buildCall('pay')
        stage.wire.say({ id, method, params: { ...(params as JsonObject), _meta } })
        stage.addWords(await stage.wire.waitFor(id))
      }
    },
    comesTo: ['ANSWERED', 'SUCCESS'],
    effects: [1, 1],
  },
  {
    name: 'gives-a-key-to-another-call',
    by: 'client',
    async play(stage) {
      const _meta = { 'rubicon/idempotencyKey': stage.drawRef() }
      for (let i = 0; i < 2; i += 1) {
        const { id, method = '', params } = stage.buildCall('pay')
        stage.wire.say({ id, method, params: { ...(params as JsonObject), _meta } })
        stage.addWords(await stage.wire.waitFor(id))
      }
    },
    comesTo: ['ANSWERED', 'CALL_REUSED'],
    effects: [1, 1],
  },
  {
    name: 'names-a-conversation-of-ours',
    by: 'client',
    async play(stage) {
      for (const name of ['process:1', 'day:2026-01-01', 'a b', 'x'.repeat(200)]) {
        const { id, method = '', params } = stage.buildCall('pay')
        const _meta = { 'rubicon/conversation': name }
        stage.wire.say({ id, method, params: { ...(params as JsonObject), _meta } })
        stage.addWords(await stage.wire.waitFor(id))
      }
    },
    comesTo: ['ARGUMENTS_INVALID'],
    effects: NONE,
  },
  {
    name: 'reuses-the-id-of-what-waits',
    by: 'client',
    async play(stage) {
      const first = stage.buildCall('wipe')
      stage.wire.say(first)
      stage.addWords(await stage.wire.waitFor(first.id))
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
      for (const { id } of asked) stage.addWords(await stage.wire.waitFor(id))
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
        stage.addWords(await stage.wire.waitFor(id))
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
      stage.addWords(await stage.wire.waitFor(id, 0, 3_000))
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
        stage.addWords(await stage.wire.waitFor(id, 0, 3_000))
      }
    },
    comesTo: [['ARGUMENTS_INVALID', '-32602', '-32603']],
    effects: NONE,
  },
  buildWriteTrick('sends-no-json', () => 'pay everybody\n{"jsonrpc":\n\n'),
  buildWriteTrick('answers-what-nobody-asked', () =>
    toLine({ jsonrpc: '2.0', id: 1, result: { content: [] } }),
  ),
  buildWriteTrick('speaks-another-protocol', ({ buildCall }) =>
    toLine({ ...buildCall('wipe'), jsonrpc: '1.0' }),
  ),
  buildWriteTrick('notifies-of-what-it-likes', () =>
    toLine({ jsonrpc: '2.0', method: 'notifications/approved', params: { dfid: 'x' } }),
  ),
  buildWriteTrick('sends-depth', () => `${'['.repeat(50_000)}${']'.repeat(50_000)}\n`),
  buildAskTrick('unknown-method', 'rubicon/approve', { dfid: 'x' }),
  buildAskTrick('method-of-a-server', 'sampling/createMessage', { messages: [], maxTokens: 1 }),
  buildAskTrick('method-of-nothing', '__proto__', {}),
]
