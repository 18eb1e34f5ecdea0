import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { AUTHORITY, LIMITS } from 'rubicon-kernel'
import { enqueue, isGoingFirst } from '../../../../runtime/src/adapters/unit/stopping-unit.ts'
import type { Unit } from '../../../../runtime/src/ports/store.ts'
import { runUrgently } from '../../../../runtime/src/ports/urgent.ts'
import { buildRefundsContract, refundCapability } from '../../demo/refunds.ts'
import {
  type HttpAnswer,
  type HttpPlace,
  type HttpQuestion,
  ask as request,
} from '../agent-auth/client.ts'
import { Connections } from '../connections/connections.ts'
import { DraftThread, draftThread } from '../drafts/draft-thread.ts'
import { DraftEnded } from '../problems/draft-ended.ts'
import { freshKey, get, post, problemOf, refund, served } from '../served.test-support.ts'

/** Whatever waits longer waits for good: the thread of drafts comes last, and others may run beside this. */
const PATIENCE = { timeout: 60_000 }
/** As long as a text may be: half a second of a core. */
const MANY_RULES = Array.from(
  { length: 840 },
  (_, i) => `forbid(principal, action, resource) when { context.params.order == "o-${i}" };`,
).join('')

test('finding 32a: a draft Cedar policy holds the deciding thread for as long as it likes', async (t) => {
  const it = await served(t, { parts: { draftMs: 100 } })
  const ann = it.person('ann', 'auditor')
  const cedar = { name: 'draft', text: MANY_RULES }
  let isAnswered = false
  const tried = post(ann, '/v1/playground', { body: { last: 1, cedar } }).finally(() => {
    isAnswered = true
  })
  let others = 0
  while (!isAnswered) {
    assert.equal((await get(ann, '/v1/agents')).status, 200)
    others += 1
  }
  assert.deepEqual(problemOf(await tried), [422, 'DRAFT_TOO_COSTLY'])
  assert.ok(others > 3, `${others} others were answered meanwhile`)
})

/** As a server does: the thread of drafts alone keeps no process. */
function keepProcess(t: TestContext): void {
  const timer = setInterval(() => {}, 1_000)
  t.after(() => clearInterval(timer))
}

test('a draft on a busy machine is ended for the time that others took', async (t) => {
  keepProcess(t)
  const thread = new DraftThread()
  const budget = { leftMs: 9_000 }
  const asking = { asker: 'ann', budget }
  await thread.ask({ kind: 'contract', text: 'a: 1' }, asking)
  assert.ok(budget.leftMs < 9_000, 'it is charged')
  // From here timers come first, and what the thread says after them.
  await new Promise((resolve) => setImmediate(resolve))
  const until = performance.now() + 60
  const short = thread.ask(
    { kind: 'contract', text: 'a: 1' },
    { asker: 'ann', budget: { leftMs: 40 } },
  )
  while (performance.now() < until);
  assert.equal((await short).ok, false)
})

test('finding 32b: judging the last decisions of a long flow lets nobody in between', async (t) => {
  const refunding = refundCapability([])
  let judged: string[] | null = null
  let ask = (): void => {}
  const contract = buildRefundsContract()
  const safety_rules = { ...contract.safety_rules, max_intent_retries: 20 }
  const it = await served(t, {
    contracts: [{ ...contract, safety_rules }],
    capabilities: [
      {
        ...refunding,
        measures: {
          refund_usd: ({ amount }) => {
            const until = performance.now() + LIMITS.pastSliceMs + 1
            while (judged !== null && performance.now() < until);
            if (judged?.push('judged') === 1) ask()
            return amount
          },
        },
      },
    ],
  })
  const bot = await it.agent()
  const flow = await it.open(bot)
  for (let i = 0; i < 20; i += 1)
    await it.propose(bot, flow, { ...refund(flow, '9000.00'), step_id: `s-${i}` })
  const ann = it.person('ann', 'auditor')
  const order: string[] = []
  judged = order
  let health: Promise<unknown> = Promise.resolve()
  ask = () => {
    health = get(ann, '/healthz').then(() => order.push('answered'))
  }
  const { body } = await post(ann, '/v1/playground', { body: { last: 20 } })
  await health
  judged = null
  assert.equal(body.last.decisions, 20)
  assert.equal(order.at(-1), 'judged', order.join(' '))
})

test('large proposals of one agent are all judged before anybody else has the thread', async (t) => {
  const judged = new Set<string>()
  let [answered, most] = [0, 0]
  const it = await served(t, {
    capabilities: [
      {
        ...refundCapability([]),
        measures: {
          refund_usd: ({ order, amount }) => {
            judged.add(String(order))
            most = Math.max(most, judged.size - answered)
            return amount
          },
        },
      },
    ],
  })
  const bot = await it.agent()
  const flows = await Promise.all(Array.from({ length: 6 }, () => it.open(bot)))
  const justification = 'x'.repeat(LIMITS.largeRequestBytes)
  const replies = flows.map(async (flow, i) => {
    const params = { order: `o_${i}`, amount: '20.00' }
    const { status } = await it.propose(bot, flow, { justification, params })
    answered += 1
    return status
  })
  assert.deepEqual(new Set(await Promise.all(replies)), new Set([200]))
  assert.ok(most < flows.length, `${most} were judged before they were answered`)
})

/** So many of them go on at the same time, since each takes a moment. */
function countAtOnce<A extends readonly unknown[], R>(
  work: (...given: A) => Promise<R>,
): { readonly work: typeof work; readonly most: () => number } {
  let [open, most] = [0, 0]
  const counted = async (...given: A): Promise<R> => {
    open += 1
    most = Math.max(most, open)
    await new Promise((resolve) => setTimeout(resolve, 10))
    open -= 1
    return work(...given)
  }
  return { work: counted, most: () => most }
}

test('decisions that one auditor tries are all judged at once, and bundles made', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const { dfid, ...flow } = await it.open(bot)
  await it.propose(bot, { dfid, ...flow })
  const ann = it.person('ann', 'auditor')
  const { body } = await get(ann, '/v1/decisions')
  const [{ trajectory, seq }] = body.decisions
  const { store, engine } = it.runtime
  const checkpoint = await engine.checkpoint()
  // Signing it takes one bundle after the other.
  t.mock.method(engine, 'checkpoint', async () => checkpoint)
  const tried = countAtOnce(store.listEntries.bind(store))
  const exported = countAtOnce(store.listFlowEntries.bind(store))
  t.mock.method(store, 'listEntries', tried.work)
  t.mock.method(store, 'listFlowEntries', exported.work)
  const together = async (ask: () => Promise<HttpAnswer>): Promise<void> => {
    for (const { status } of await Promise.all([1, 2, 3, 4].map(ask))) assert.equal(status, 200)
  }
  const question = { body: { decision: { trajectory, seq }, state: {} } }
  await together(() => post(ann, '/v1/playground', question))
  assert.equal(tried.most(), 1, `${tried.most()} of one auditor at once`)
  await together(() => get(ann, `/v1/bundles/${dfid}`))
  assert.ok(exported.most() <= LIMITS.pastQuestions, `${exported.most()} bundles at once`)
})

test('finding 32c: a contract that is only checked holds the deciding thread', async (t) => {
  const it = await served(t, { parts: { draftMs: 50 } })
  const ann = it.person('ann', 'auditor')
  const oscar = it.person('oscar', 'operator')
  const source = '}'.repeat(60_000)
  const checked = await post(ann, '/v1/contracts/check', { body: { source } })
  assert.deepEqual(problemOf(checked), [422, 'DRAFT_TOO_COSTLY'])
  const deployed = await put(oscar, '/v1/contracts/refunds_bot', { body: { source } })
  assert.deepEqual(problemOf(deployed), [422, 'DRAFT_TOO_COSTLY'])
})

test('of one asker so many drafts wait, and those of others go in between', async (t) => {
  keepProcess(t)
  const order: string[] = []
  const ask = (asker: string, first?: true): Promise<unknown> =>
    draftThread
      .ask(
        { kind: 'contract', text: 'a: 1' },
        { asker, budget: { leftMs: 9_000 }, ...(first && { first }) },
      )
      .then(() => order.push(asker))
  const noisy = Array.from({ length: LIMITS.draftsWaitingEach }, () => ask('noisy'))
  await assert.rejects(ask('noisy'), ({ failure }) => failure.code === 'OVERLOADED')
  await Promise.all([...noisy, ask('quiet'), ask('operator', true)])
  assert.deepEqual(order.slice(0, 3), ['operator', 'noisy', 'quiet'])
  const held = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort')
  assert.deepEqual(
    held,
    [],
    'the thread waits for the next draft, and the process not for the thread',
  )
})

test('drafts of somebody who has hung up are tried, and others wait for them', async (t) => {
  keepProcess(t)
  const thread = new DraftThread()
  let isGone = false
  const ask = (asker: string): Promise<unknown> =>
    thread.ask(
      { kind: 'contract', text: 'a: 1' },
      { asker, budget: { leftMs: 9_000 }, isGone: () => isGone && asker === 'noisy' },
    )
  const asked = Array.from({ length: LIMITS.draftsWaitingEach }, () => ask('noisy'))
  isGone = true
  const ended = Promise.all(asked.map((one) => assert.rejects(one, DraftEnded)))
  await ask('quiet')
  await ended
})

test(
  'finding 32d: whoever has asked for too much already cannot stop an agent',
  PATIENCE,
  async (t) => {
    const it = await served(t, {
      parts: { draftMs: 300, rate: { perSecond: 0, atOnce: 20 }, underWay: 2 },
    })
    const oscar = it.person('oscar', 'operator')
    const cedar = { name: 'draft', text: MANY_RULES }
    const bombs = [1, 2].map(() => post(oscar, '/v1/playground', { body: { last: 1, cedar } }))
    let answered = 0
    for (const bomb of bombs)
      void bomb.finally(() => {
        answered += 1
      })
    // They are under way, and what else there is to spend is spent.
    while ((await get(oscar, '/v1/agents')).body.code !== 'RATE_LIMITED');
    const body = { to: 'SUSPENDED', justification: 'it asks for too much' }
    const path = '/v1/agents/refunds_bot/transitions'
    const moved = await post(oscar, path, { body, headers: freshKey() })
    assert.equal(moved.status, 200, JSON.stringify(moved.body))
    assert.ok(answered < bombs.length, 'it waited for what is only tried')
    await Promise.all(bombs)
  },
)

test('finding 32d: connections that nobody uses keep an operator out', PATIENCE, async (t) => {
  const it = await served(t, { parts: { connections: 12 } })
  const port = Number(new URL(it.server.url).port)
  const slow = Array.from({ length: 12 }, (_, i) => connectFrom(t, port, `127.0.1.${(i % 3) + 1}`))
  await Promise.all(slow.map((socket) => once(socket, 'connect')))
  for (const socket of slow) socket.write('GET /healthz HTTP/1.1\r\nX-A: ')
  const oscar = it.person('oscar', 'operator')
  const body = { to: 'SUSPENDED', justification: 'it asks for too much' }
  const path = '/v1/agents/refunds_bot/transitions'
  const moved = await post(oscar, path, { body, headers: freshKey() })
  for (const socket of slow) socket.destroy()
  assert.equal(moved.status, 200)
})

test('finding 32d: a suspension waits behind units that were there before it', () => {
  type Waiting = { readonly unit: Unit; readonly isFirst: boolean }
  const unit = (entry: 'lifecycle' | 'note', trajectory: string): Waiting => {
    const write = { kind: 'append', trajectory, entry, payload: '{}' } as never
    const made = { guards: [], writes: [write] }
    return { unit: made, isFirst: isGoingFirst(made) }
  }
  const waiting: Waiting[] = []
  const [first, second] = [unit('note', 'main'), unit('note', 'main')]
  const [stop, another] = [unit('lifecycle', AUTHORITY), unit('lifecycle', AUTHORITY)]
  const claim = runUrgently(() => unit('note', 'main'))
  for (const next of [first, stop, second, another, claim]) enqueue(waiting, next)
  assert.deepEqual(waiting, [stop, another, claim, first, second])
})

test('finding 32e: answers that nobody reads do not bound what is read', PATIENCE, async (t) => {
  let begun = 0
  const { port, limits } = await connected(t, (response) => {
    begun += 1
    response.end(ANSWER)
  })
  const socket = connectFrom(t, port, '127.0.1.9').pause()
  await once(socket, 'connect')
  socket.write(HEAD.repeat(limits.pipelined))
  while (begun === 0) await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(begun, 1, 'one is begun when the answer before it was taken')
  const other = connectFrom(t, port, '127.0.1.8')
  await once(other, 'connect')
  const closed = once(other, 'close')
  const count = limits.pipelined * 2
  other.write(HEAD.repeat(count))
  await Promise.race([closed, answered(other, count)])
  assert.ok(begun < count, 'a connection on which too many wait is ended')
})

test(
  'a connection with too many requests is read to the end of what it has sent',
  PATIENCE,
  async (t) => {
    const { port, limits, read } = await connected(t, () => {})
    const socket = connectFrom(t, port, '127.0.1.7').resume()
    const closed = once(socket, 'close')
    socket.write(HEAD.repeat(1_000))
    await closed
    assert.equal(read(), limits.pipelined + 2)
  },
)

test('whoever was cut off for pipelining comes again at once', PATIENCE, async (t) => {
  let now = 0
  const clock = { monotonic: () => now }
  const { port, limits } = await connected(t, (response) => void response.end('here'), clock)
  const isAnswered = async (address: string): Promise<boolean> => {
    const socket = connectFrom(t, port, address)
    socket.write(HEAD)
    return Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ])
  }
  const stays = connectFrom(t, port, '127.0.1.6')
  await once(stays, 'connect')
  const cut = connectFrom(t, port, '127.0.1.6').resume()
  const closed = once(cut, 'close')
  cut.write(HEAD.repeat(1_000))
  await closed
  assert.equal(await isAnswered('127.0.1.6'), false)
  assert.equal(await isAnswered('127.0.1.5'), true, 'another address is not theirs')
  stays.write(HEAD)
  await once(stays, 'data')
  now = limits.pipelinedMs
  assert.equal(await isAnswered('127.0.1.6'), true, 'it is for a while')
})

test(
  'a process of this machine that pipelines keeps nobody else of it out',
  PATIENCE,
  async (t) => {
    const { port } = await connected(t, (response) => void response.end('here'))
    const cut = connectFrom(t, port, '127.0.0.1').resume()
    const closed = once(cut, 'close')
    cut.write(HEAD.repeat(1_000))
    await closed
    const operator = connectFrom(t, port, '127.0.0.1')
    operator.write(HEAD)
    const heard = once(operator, 'data').then(() => 'an answer')
    assert.equal(await Promise.race([heard, once(operator, 'close')]), 'an answer')
  },
)

test(
  'requests that expect something are begun one after the other like all others',
  PATIENCE,
  async (t) => {
    const it = await served(t)
    const socket = connectFrom(t, it.server.port, '127.0.1.4')
    const closed = once(socket, 'close')
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    const count = 10 * LIMITS.requestsPipelined
    const expecting = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n\r\n'
    socket.write(expecting.repeat(count))
    socket.end('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await closed
    const answers = heard.split('HTTP/1.1 ').length - 1
    assert.ok(answers < count, `${answers} were answered, and nobody ended the connection`)
  },
)

const HEAD = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** A server of nothing but connections; `read` counts the requests that were made of what was sent. */
async function connected(
  t: TestContext,
  answer: (response: ServerResponse) => void,
  clock: { readonly monotonic: () => number } = performanceClock,
) {
  let read = 0
  const limits = {
    most: 9,
    each: 9,
    pipelined: 8,
    pipelinedMs: 1_000,
    remembered: 9,
    stallMs: 60_000,
    isProxy: () => false,
  }
  const connections = new Connections(limits, clock)
  const server = createServer((request, response) => {
    read += 1
    connections.begin(request, response, () => answer(response))
  })
  connections.watch(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { port, limits, read: () => read }
}

const performanceClock = { monotonic: () => performance.now() }

/** More than a connection takes that nobody reads. */
const ANSWER = 'x'.repeat(8_000_000)

/** When so many of those answers were read. */
function answered(socket: Socket, count: number): Promise<void> {
  let read = 0
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      read += chunk.length
      if (read > count * ANSWER.length) resolve()
    })
    socket.resume()
  })
}

function connectFrom(t: TestContext, port: number, localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  t.after(() => socket.destroy())
  return socket.on('error', () => {})
}

function put(place: HttpPlace, path: string, question: HttpQuestion): Promise<HttpAnswer> {
  return request(place, 'PUT', path, question)
}
