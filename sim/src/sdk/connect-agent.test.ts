import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  AgentError,
  type AnyProblem,
  ClientClockError,
  type ConnectionState,
  type ConnectOptions,
  connectAgent,
  type HttpAgentConnection,
  SafeModeError,
} from 'rubicon-agents'
import { LIMITS, POLICY_SCHEMA_VERSION } from 'rubicon-kernel'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { createMovableClock } from '../../../server/src/demo/stage.ts'
import { AGENT, type Served, served } from '../../../server/src/http/served.test-support.ts'

const REFUND = { policy_kind: 'REFUND', params: { order: 'o_1', amount: '20.00' } }
const HOUR = 3_600_000

async function connect(
  t: TestContext,
  it: Served,
  more: Partial<ConnectOptions> = {},
): Promise<HttpAgentConnection> {
  const options = { url: it.server.url, agent: AGENT, key: await it.key(AGENT), ...more }
  const connection = await connectAgent(options)
  t.after(() => connection.close())
  return connection
}

test('an agent that connects knows what is spoken here and which kinds there are', async (t) => {
  const it = await served(t)
  const agent = await connect(t, it, { topologies: ['EOAM'] })
  assert.deepEqual(agent.state, { kind: 'ready' })
  assert.equal(agent.schema?.schema_version, POLICY_SCHEMA_VERSION)
  assert.deepEqual(agent.schema?.kinds.REFUND?.params.required, ['order', 'amount'])
})

test('the topologies of a handshake are kept with its session, and others are refused', async (t) => {
  const it = await served(t)
  await connect(t, it, { topologies: ['EOAM', 'SDS'] })
  const [session] = await it.runtime.store.listRecords('session', AGENT, { limit: 2 })
  assert.deepEqual(session?.body.topologies, ['EOAM', 'SDS'])
  const nonsense = await it.runtime.engine.handshake({
    agent: AGENT,
    // @ts-expect-error: what comes from inside the process was held against no schema
    topologies: ['RING'],
  })
  assert.equal(nonsense.ok ? null : nonsense.error.code, 'SCHEMA_INVALID')
})

/** A server that speaks another version for a while. */
function speakOther(times: () => boolean): typeof fetch {
  return async (input, init) => {
    if (times() && String(input).endsWith('/v1/agents/handshake'))
      return Response.json(
        {
          type: 'urn:rubicon:reason:VERSION_UNSUPPORTED',
          title: 'the version is not supported',
          status: 406,
          code: 'VERSION_UNSUPPORTED',
          detail: 'policy schema `1.5.0` is not supported',
          meta: { schema_version: '2.0.0' },
        },
        { status: 406, headers: { 'content-type': 'application/problem+json' } },
      )
    return fetch(input, init)
  }
}

test('an agent of another version is passive, tries again, and is told when it is understood', async (t) => {
  const it = await served(t)
  let isOther = true
  const states: ConnectionState['kind'][] = []
  const waited: number[] = []
  const turn = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<void>()
  const agent = await connect(t, it, {
    fetch: speakOther(() => isOther),
    onState({ kind }) {
      states.push(kind)
      if (kind === 'ready') ready.resolve()
    },
    async wait(ms) {
      waited.push(ms)
      if (waited.length === 3) await turn.promise
    },
  })
  assert.equal(agent.state.kind, 'safe')
  const refused = await agent.act({ ...REFUND, trigger: 'x' }).catch((error) => error)
  assert.ok(refused instanceof SafeModeError)
  assert.deepEqual([refused.code, refused.status], ['VERSION_UNSUPPORTED', 406])
  await assert.rejects(agent.open({ trigger: 'x' }), SafeModeError)
  assert.deepEqual(it.calls, [])
  isOther = false
  turn.resolve()
  await ready.promise
  assert.equal((await agent.act({ ...REFUND, trigger: 'x' })).outcome, 'ACCEPTED')
  assert.equal(states.at(-1), 'ready')
  assert.ok(waited.every((ms, index) => ms >= 500 * 2 ** index && ms <= 1_000 * 2 ** index))
})

test('a version that the runtime does not speak is refused by the runtime itself', async (t) => {
  const it = await served(t)
  const wait = (_: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  const agent = await connect(t, it, { version: '2.0.0', wait })
  const { state } = agent
  assert.ok(state.kind === 'safe' && state.problem.code === 'VERSION_UNSUPPORTED')
})

test('an agent that is in a flow when the version changes proposes nothing more', async (t) => {
  const it = await served(t)
  let isOther = false
  let waits = 0
  const wait = (_: number, signal: AbortSignal): Promise<void> => {
    waits += 1
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  let sent = 0
  const send = speakOther(() => isOther)
  const agent = await connect(t, it, {
    wait,
    fetch(input, init) {
      sent += 1
      return send(input, init)
    },
  })
  const flows = await Promise.all(['a', 'b', 'c'].map((trigger) => agent.open({ trigger })))
  isOther = true
  await endSessions(it)
  await Promise.all(flows.map((flow) => assert.rejects(flow.propose(REFUND), SafeModeError)))
  const before = sent
  await Promise.all(flows.map((flow) => assert.rejects(flow.propose(REFUND), SafeModeError)))
  assert.equal(sent, before, 'nothing is sent in safe mode')
  assert.equal(waits, 1, 'it is tried again once for all')
  assert.deepEqual(it.calls, [])
})

test('a session that was ended is renewed once for all that need it, and nothing is lost', async (t) => {
  const it = await served(t)
  const handshakes: string[] = []
  const agent = await connect(t, it, {
    fetch(input, init) {
      if (String(input).endsWith('/v1/agents/handshake')) handshakes.push(String(init?.method))
      return fetch(input, init)
    },
  })
  await endSessions(it)
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((trigger) => agent.act({ ...REFUND, trigger })),
  )
  assert.deepEqual(
    answers.map(({ outcome }) => outcome),
    Array(3).fill('ACCEPTED'),
  )
  assert.deepEqual(handshakes, ['POST', 'POST'])
})

test('a session is renewed before it ends', async (t) => {
  const clock = createMovableClock()
  const it = await served(t, { clock, background: false })
  const agent = await connect(t, it, { clock })
  const sessions = (): Promise<readonly unknown[]> =>
    it.runtime.store.listRecords('session', AGENT, { limit: 10 })
  clock.ahead(LIMITS.sessionMs - HOUR)
  await agent.act({ ...REFUND, trigger: 'an hour before' })
  assert.equal((await sessions()).length, 1)
  clock.ahead(HOUR - 60_000)
  await agent.act({ ...REFUND, trigger: 'a minute before' })
  assert.equal((await sessions()).length, 2)
})

test('a clock that is wrong is told as such, at the handshake and later', async (t) => {
  const it = await served(t)
  const early = { now: () => Date.now() - HOUR }
  const refused = await connect(t, it, { clock: early }).catch((error) => error)
  assert.ok(refused instanceof ClientClockError, String(refused))
  assert.ok(Math.abs(refused.skew_ms - HOUR) < 60_000)
  assert.match(refused.message, /behind/)
  let ahead = 0
  const agent = await connect(t, it, { clock: { now: () => Date.now() + ahead } })
  ahead = 2 * HOUR
  const later = await agent.act({ ...REFUND, trigger: 'x' }).catch((error) => error)
  assert.ok(later instanceof ClientClockError)
  assert.match(later.message, /ahead of/)
  assert.deepEqual(it.calls, [])
  ahead = 0
  assert.equal((await agent.act({ ...REFUND, trigger: 'x' })).outcome, 'ACCEPTED')
})

test('a suspended agent hears so, and goes on when it may', async (t) => {
  const it = await served(t)
  const agent = await connect(t, it)
  await move(it, 'SUSPENDED')
  const refused = await agent.act({ ...REFUND, trigger: 'x' }).catch((error) => error)
  assert.ok(refused instanceof AgentError && refused.code === 'AGENT_SUSPENDED')
  await move(it, 'ACTIVE')
  assert.equal((await agent.act({ ...REFUND, trigger: 'x' })).outcome, 'ACCEPTED')
})

test('a key that nobody registered, and a server that is not there, are errors with codes', async (t) => {
  const it = await served(t)
  const key = await it.key(AGENT)
  const stranger = await connect(t, it, { agent: 'nobody', key }).catch((error) => error)
  assert.ok(stranger instanceof AgentError && stranger.code === 'KEY_POSSESSION')
  const nowhere = await connect(t, it, { url: 'http://127.0.0.1:1' }).catch((error) => error)
  assert.ok(nowhere instanceof AgentError && nowhere.code === 'SERVER_UNREACHABLE')
})

test('an agent hears what becomes of its flows, also in a session after the first', async (t) => {
  const it = await served(t)
  const agent = await connect(t, it)
  const heard = new Set<string>()
  let waiting = Promise.withResolvers<void>()
  agent.followEntries(({ kind, dfid }) => {
    heard.add(`${kind} ${dfid}`)
    if (kind === 'commit') waiting.resolve()
  })
  const { dfid } = await agent.act({ ...REFUND, trigger: 'x' })
  await waiting.promise
  assert.ok(heard.has(`dispatch ${dfid}`), [...heard].join())
  waiting = Promise.withResolvers<void>()
  await endSessions(it)
  const second = await agent.act({ ...REFUND, trigger: 'y' })
  await waiting.promise
  assert.ok(heard.has(`commit ${second.dfid}`), [...heard].join())
})

test('where a contract asks for signatures, each proposal is whole and signed', async (t) => {
  const contract = buildContract(AGENT, ['REFUND'], { safety_rules: { requires_signature: true } })
  const it = await served(t, { contracts: [contract] })
  const agent = await connect(t, it)
  const flow = await agent.open({ trigger: 'x' })
  const answer = await flow.propose(REFUND)
  assert.equal(answer.outcome, 'ACCEPTED', JSON.stringify(answer))
  const entries = await it.runtime.store.listFlowEntries(flow.dfid)
  assert.ok(entries.some(({ payload }) => payload?.includes('"auth":{"kind":"signature"')))
})

test('an act is refused where a contract asks for signatures: what is signed names a flow, and none is there yet', async (t) => {
  const contract = buildContract(AGENT, ['REFUND'], { safety_rules: { requires_signature: true } })
  const it = await served(t, { contracts: [contract] })
  const agent = await connect(t, it)
  const answer = await agent.act({ ...REFUND, trigger: 'x' })
  assert.ok(answer.outcome === 'REJECTED', JSON.stringify(answer))
  assert.equal(answer.reason_code, 'SIGNATURE_REQUIRED')
  assert.match(answer.feedback.fix, /open a flow/)
  assert.deepEqual(it.calls, [])
})

test('an agent of one tenant among several says which one', async (t) => {
  const it = await served(t)
  const asked: (string | null)[] = []
  const spy: typeof fetch = (input, init) => {
    asked.push(new Headers(init?.headers).get('rubicon-tenant'))
    return fetch(input, init)
  }
  const agent = await connect(t, it, { tenant: 'default', fetch: spy })
  await agent.open({ trigger: 'x' })
  assert.deepEqual(asked, ['default', 'default', 'default'])
  await assert.rejects(connect(t, it, { tenant: 'acme' }), AgentError)
})

test('a flow that another process of the agent has finished is handed to nobody, and is no error', async (t) => {
  const it = await served(t)
  const errors: unknown[] = []
  const handed: string[] = []
  const first = await connect(t, it, { onError: (error) => errors.push(error) })
  const second = await connect(t, it)
  first.handleFlows(({ dfid }) => handed.push(dfid))
  const told = Promise.withResolvers<void>()
  first.followEntries(({ kind }) => kind === 'commit' && told.resolve())
  const { dfid } = await second.act({ ...REFUND, trigger: 'x' })
  await told.promise
  const flow = await second.open({ trigger: 'y' })
  while (!handed.includes(flow.dfid)) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(!handed.includes(dfid))
  assert.deepEqual(errors, [])
})

test('an agent that is retired hears nothing more', async (t) => {
  const it = await served(t)
  const states: string[] = []
  const agent = await connect(t, it, { onState: ({ kind }) => void states.push(kind) })
  agent.handleFlows(() => {})
  await agent.retire('done')
  await assert.rejects(agent.open({ trigger: 'x' }), /AGENT_RETIRED/)
  await assert.rejects(agent.open({ trigger: 'x' }), /AGENT_RETIRED/)
  assert.deepEqual(states, ['ready', 'ended'])
})

/** Sends everything, and loses the answers to some of it. */
function loseAnswers(path: string, times: number): typeof fetch & { lost: number } {
  const lossy = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    const response = await fetch(input, init)
    if (!String(input).endsWith(path) || lossy.lost >= times) return response
    lossy.lost += 1
    await response.body?.cancel()
    throw new TypeError('fetch failed')
  }
  lossy.lost = 0
  return lossy
}

test('an act and an opening whose answers are lost are asked again, and done once', async (t) => {
  const it = await served(t)
  const wait = async (): Promise<void> => {}
  const lossy = loseAnswers('/v1/actions', 2)
  const agent = await connect(t, it, { fetch: lossy, wait })
  const answer = await agent.act({ ...REFUND, trigger: 'x' })
  assert.deepEqual([answer.outcome, lossy.lost, it.calls.length], ['ACCEPTED', 2, 1])
  const opening = await connect(t, it, { fetch: loseAnswers('/v1/flows', 2), wait })
  const flow = await opening.open({ trigger: 'y' })
  const flows = await it.runtime.store.listFlows({ limit: 10 })
  assert.equal(flows.filter(({ trigger }) => trigger === 'y').length, 1)
  assert.equal((await flow.propose(REFUND)).outcome, 'ACCEPTED')
})

/** Refuses what is asked again, after the answer to the first was lost. */
function refuseAgain(refusals: Readonly<Record<string, AnyProblem>>): typeof fetch {
  const lossy = loseAnswers('/v1/actions', 1)
  return async (input, init) => {
    const [, problem] =
      Object.entries(refusals).find(([path]) => String(input).endsWith(path)) ?? []
    if (lossy.lost === 0 || problem === undefined) return lossy(input, init)
    const headers = { 'content-type': 'application/problem+json' }
    return Response.json(problem, { status: problem.status, headers })
  }
}

function buildProblem(code: AnyProblem['code'], status: number): AnyProblem {
  return { type: `urn:rubicon:reason:${code}`, title: 'no', detail: 'no', code, status }
}

test('an act whose answer was lost stays lost, whatever is refused when it is asked for again', async (t) => {
  const it = await served(t)
  const wait = async (): Promise<void> => {}
  const refused: readonly Readonly<Record<string, AnyProblem>>[] = [
    { '/v1/actions': buildProblem('RATE_LIMITED', 429) },
    { '/v1/actions': buildProblem('AGENT_SUSPENDED', 403) },
    {
      '/v1/actions': buildProblem('SESSION_INVALID', 401),
      '/v1/agents/handshake': buildProblem('AGENT_SUSPENDED', 403),
    },
  ]
  for (const [index, refusals] of refused.entries()) {
    const agent = await connect(t, it, { fetch: refuseAgain(refusals), wait })
    const order = { ...REFUND.params, order: `o_${index + 1}` }
    const act = agent.act({ ...REFUND, params: order, trigger: 'x' })
    const error = await act.catch((cause) => cause)
    assert.ok(error instanceof AgentError, String(error))
    assert.deepEqual([error.code, error.status], ['SERVER_UNREACHABLE', 0])
  }
  assert.equal(it.calls.length, refused.length)
})

test('an act that was given up is not sent, nor sent again where its answer was lost', async (t) => {
  const it = await served(t)
  const lossy = loseAnswers('/v1/actions', 3)
  const given = new AbortController()
  const wait = async (): Promise<void> => given.abort()
  const agent = await connect(t, it, { fetch: lossy, wait })
  const { signal } = given
  await assert.rejects(agent.act({ ...REFUND, trigger: 'x' }, { signal }), { name: 'AbortError' })
  assert.deepEqual([lossy.lost, it.calls.length], [1, 1])
  await assert.rejects(agent.act({ ...REFUND, trigger: 'y' }, { signal }), { name: 'AbortError' })
  assert.deepEqual([lossy.lost, it.calls.length], [1, 1])
})

test('a proposal whose answer is lost is not sent again by itself; the same step is repeated', async (t) => {
  const it = await served(t)
  const lossy = loseAnswers('/proposals', 1)
  const agent = await connect(t, it, { fetch: lossy })
  const flow = await agent.open({ trigger: 'x' })
  await assert.rejects(flow.propose(REFUND), /SERVER_UNREACHABLE/)
  assert.equal(lossy.lost, 1)
  assert.equal((await flow.propose(REFUND)).outcome, 'REPEATED')
  assert.equal(it.calls.length, 1)
})

test('an agent that lost its sessions makes room for itself', async (t) => {
  const it = await served(t, { parts: { strangers: { perSecond: 0, atOnce: 10_000 } } })
  for (let i = 0; i < LIMITS.sessionsPerAgent; i++) await connect(t, it)
  await assert.rejects(connect(t, it), /SESSIONS_FULL/)
  const agent = await connect(t, it, { endOthers: true })
  assert.equal((await agent.act({ ...REFUND, trigger: 'x' })).outcome, 'ACCEPTED')
})

async function endSessions({ runtime }: Served): Promise<void> {
  for (const to of ['SUSPENDED', 'ACTIVE'] as const) await move({ runtime }, to)
}

async function move(
  { runtime }: Pick<Served, 'runtime'>,
  to: 'SUSPENDED' | 'ACTIVE',
): Promise<void> {
  const asked = { agent_id: AGENT, to, actor: 'operator', justification: 'x' } as const
  assert.ok((await runtime.engine.moveAgent(asked)).ok)
}
