import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import {
  type Answer,
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type Failure,
  formatHandshake,
  hashText,
  type JsonObject,
  type JsonValue,
  LIMITS,
  type Result,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { toRawPublicKey } from '../../../adapters/system/ed25519.ts'
import { sha256 } from '../../../adapters/system/sha256.ts'
import { CONTRACT, type Example, exampleRuntime } from '../../../evidence/example.test-support.ts'
import { type HandClock, handClock } from '../../flow/hand-clock.test-support.ts'
import { buildKeyRegistration, registerKey, retireKey } from '../keys.ts'
import { endSession } from './sessions.ts'

const AGENT = 'refunds_bot'

type Scene = Example & { readonly clock: HandClock }

async function scene(): Promise<Scene> {
  const clock = handClock()
  const example = await exampleRuntime({ clock, background: false })
  await example.runtime.deploy({ ...CONTRACT, agent_id: 'other_bot' })
  return { ...example, clock }
}

async function shaken({ runtime }: Scene, agent = AGENT): Promise<string> {
  return done(await runtime.engine.handshake({ agent })).session_token
}

function done<T>(result: Result<T, Failure>): T {
  assert.ok(result.ok, result.ok ? '' : `${result.error.code}: ${result.error.why}`)
  return result.value
}

function codeOf(result: Result<unknown, Failure>): string | null {
  return result.ok ? null : result.error.code
}

/** Opens a flow of the agent and proposes in it, with the token. */
async function proposes(
  { runtime }: Scene,
  session: string,
  agent = AGENT,
): Promise<Answer & { readonly dfid: string }> {
  const flow = await runtime.open({ agent, trigger: 'ticket' })
  const { dfid, context } = flow
  const proposal = {
    dfid,
    agent_id: agent,
    policy_kind: 'REFUND',
    params: { order: dfid, amount: '20.00' },
    context_ref: context.snapshot_id,
    mission_context_hash: context.mission_context_hash,
  }
  return runtime.engine.propose(dfid, proposal, { session })
}

async function statusOf({ runtime }: Scene, agent = AGENT): Promise<string | undefined> {
  return (await runtime.engine.context.authorities.loadLatest()).statuses.get(agent)
}

function move({ runtime }: Scene, to: 'ACTIVE' | 'SUSPENDED' | 'RETIRED', agent_id = AGENT) {
  const justification = 'looked at it'
  return runtime.engine.moveAgent({ agent_id, to, actor: 'operator', justification })
}

test('a handshake makes an agent active and gives a token, of which the store has the hash', async () => {
  const example = await scene()
  const { engine, store } = example.runtime
  assert.equal(await statusOf(example), 'INITIALIZING')
  const greeted = done(await engine.handshake({ agent: AGENT, schema_version: '1.2' }))
  assert.match(greeted.session_token, /^rbs_[A-Za-z0-9_-]{43}$/)
  assert.deepEqual([greeted.schema_version, greeted.status], ['1.5.0', 'ACTIVE'])
  assert.equal(await statusOf(example), 'ACTIVE')
  const [kept, ...more] = await store.listRecords('session', AGENT, { limit: 10 })
  assert.deepEqual([kept?.key, more.length], [hashText(greeted.session_token, sha256), 0])
  assert.deepEqual(
    [kept?.body.schema_version, kept?.body.key_id, kept?.body.expires_at, kept?.body.ended_at],
    ['1.2', null, greeted.expires_at, null],
  )
  const leaves = await store.listLeaves(0, LIMITS.entriesPerPage)
  const written = leaves.map(({ payload }) => payload).join() + JSON.stringify(kept)
  assert.ok(!written.includes(greeted.session_token))
  const session = done(await engine.session(greeted.session_token))
  assert.deepEqual([session.agent_id, session.schema_version], [AGENT, '1.2'])
  await example.close()
})

test('two handshakes at once are two sessions of one active agent', async () => {
  const example = await scene()
  const tokens = await Promise.all([shaken(example), shaken(example)])
  assert.notEqual(tokens[0], tokens[1])
  for (const token of tokens) assert.equal((await proposes(example, token)).outcome, 'ACCEPTED')
  await example.close()
})

test('a version that is not spoken, and an agent that nobody registered, change nothing', async () => {
  const example = await scene()
  const { engine, store } = example.runtime
  const before = await store.countLeaves()
  for (const schema_version of ['2.0', '1.9', '1.6', '0.9', '', 'latest']) {
    const refused = await engine.handshake({ agent: AGENT, schema_version })
    assert.equal(codeOf(refused), 'VERSION_UNSUPPORTED', schema_version)
  }
  assert.equal(codeOf(await engine.handshake({ agent: 'nobody' })), 'AGENT_UNKNOWN')
  assert.equal(await statusOf(example), 'INITIALIZING')
  assert.equal(await store.countLeaves(), before)
  assert.deepEqual(await store.listRecords('session', AGENT, { limit: 10 }), [])
  await example.close()
})

test('neither a suspended nor a retired agent gets a session, and both stay what they are', async () => {
  const example = await scene()
  const { engine, store } = example.runtime
  await shaken(example)
  done(await move(example, 'SUSPENDED'))
  done(await move(example, 'RETIRED', 'other_bot'))
  const before = await store.countLeaves()
  assert.equal(codeOf(await engine.handshake({ agent: AGENT })), 'AGENT_SUSPENDED')
  assert.equal(codeOf(await engine.handshake({ agent: 'other_bot' })), 'AGENT_RETIRED')
  assert.deepEqual(
    [await statusOf(example), await statusOf(example, 'other_bot')],
    ['SUSPENDED', 'RETIRED'],
  )
  assert.equal(await store.countLeaves(), before)
  await example.close()
})

test('a token that does not hold is answered and not recorded, and costs no retry', async () => {
  const example = await scene()
  const { engine, store } = example.runtime
  const token = await shaken(example)
  const flow = await example.runtime.open({ agent: AGENT, trigger: 'ticket' })
  const before = await store.countLeaves()
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  const tokens = ['', 'rbs_', forged, `${token}A`, token.toUpperCase(), 7 as unknown as string]
  for (const session of tokens) {
    const answer = await engine.propose(flow.dfid, { policy_kind: 'REFUND' }, { session })
    assert.deepEqual(
      [answer.outcome, answer.reason_code, answer.stage, answer.trace_id],
      ['REJECTED', 'SESSION_INVALID', 'queue', ''],
    )
    assert.equal(
      codeOf(await engine.open({ agent: AGENT, trigger: 't', session })),
      'SESSION_INVALID',
    )
    assert.equal(codeOf(await engine.cancel(flow.dfid, 'r', { session })), 'SESSION_INVALID')
    assert.equal(codeOf(await engine.close(flow.dfid, { session })), 'SESSION_INVALID')
    assert.equal(codeOf(await engine.session(session)), 'SESSION_INVALID')
  }
  assert.equal(await store.countLeaves(), before)
  const row = await store.readFlow(flow.dfid)
  assert.deepEqual([row?.state, row?.rejections, row?.attempts], ['ACTIVE', 0, 0])
  await example.close()
})

test('a token opens, proposes in, cancels and closes the flows of its own agent', async () => {
  const example = await scene()
  const { engine } = example.runtime
  const session = await shaken(example)
  const answer = await proposes(example, session)
  assert.equal(answer.outcome, 'ACCEPTED')
  const first = done(await engine.open({ agent: AGENT, trigger: 'one', session }))
  done(await engine.cancel(first.flow.dfid, 'not needed', { session }))
  const many = { agent: AGENT, trigger: 'two', steps: 'many', session } as const
  const second = done(await engine.open(many))
  done(await engine.close(second.flow.dfid, { session }))
  const unknown = '019ca8c0-0000-7000-8000-000000000001'
  assert.equal(codeOf(await engine.cancel(unknown, 'r', { session })), 'FLOW_UNKNOWN')
  await example.close()
})

test('under a good token another agent cannot be spoken for', async () => {
  const example = await scene()
  const { engine, store } = example.runtime
  const session = await shaken(example, 'other_bot')
  await shaken(example)
  const answer = await proposes(example, session)
  assert.equal(answer.reason_code, 'IDENTITY_MISMATCH')
  assert.equal(codeOf(await engine.cancel(answer.dfid, 'r', { session })), 'IDENTITY_MISMATCH')
  assert.equal(codeOf(await engine.close(answer.dfid, { session })), 'IDENTITY_MISMATCH')
  assert.equal((await store.readFlow(answer.dfid))?.state, 'ACTIVE')
  assert.equal(
    codeOf(await engine.open({ agent: AGENT, trigger: 't', session })),
    'SESSION_INVALID',
  )
  assert.equal(codeOf(await engine.requestRetire(AGENT, { session })), 'SESSION_INVALID')
  assert.equal(await statusOf(example), 'ACTIVE')
  await example.close()
})

test('a session lasts twelve hours by the time of the ledger, and a clock set back revives none', async () => {
  const example = await scene()
  const { engine } = example.runtime
  const session = await shaken(example)
  await example.clock.advance(LIMITS.sessionMs - 1)
  done(await engine.session(session))
  await example.clock.advance(1)
  assert.equal(codeOf(await engine.session(session)), 'SESSION_EXPIRED')
  assert.equal((await proposes(example, session)).reason_code, 'SESSION_EXPIRED')
  await example.runtime.deploy({ ...CONTRACT, version: '1.1.0' })
  await example.clock.advance(-LIMITS.sessionMs)
  assert.equal(codeOf(await engine.session(session)), 'SESSION_EXPIRED')
  await example.close()
})

test('a suspension ends sessions for good; the agent shakes hands again', async () => {
  const example = await scene()
  const { engine, store } = example.runtime
  const session = await shaken(example)
  done(await move(example, 'SUSPENDED'))
  assert.equal(codeOf(await engine.session(session)), 'SESSION_INVALID')
  const [kept] = await store.listRecords('session', AGENT, { limit: 10 })
  assert.equal(typeof kept?.body.ended_at, 'string')
  done(await move(example, 'ACTIVE'))
  assert.equal(codeOf(await engine.session(session)), 'SESSION_INVALID')
  assert.equal((await proposes(example, await shaken(example))).outcome, 'ACCEPTED')
  await example.close()
})

test('a session that was opened while its agent was being stopped does not outlive that', async () => {
  let meanwhile: (() => Promise<unknown>) | null = null
  const clock = handClock()
  const inner = await exampleRuntime({
    clock,
    background: false,
    failpoints: {
      async reach(point) {
        const act = point === 'authority.before_commit' ? meanwhile : null
        meanwhile = null
        await act?.()
      },
    },
  })
  const example = { ...inner, clock }
  await shaken(example)
  let session = ''
  meanwhile = async () => {
    session = await shaken(example)
  }
  done(await move(example, 'SUSPENDED'))
  const { engine, store } = example.runtime
  const late = await store.readRecord('session', AGENT, hashText(session, sha256))
  assert.equal(late?.body.ended_at, null, 'it was opened after the sessions were looked at')
  assert.equal(codeOf(await engine.session(session)), 'SESSION_INVALID')
  done(await move(example, 'ACTIVE'))
  assert.equal(codeOf(await engine.session(session)), 'SESSION_INVALID')
  await example.close()
})

test('an agent may ask to retire, and for nothing else', async () => {
  const example = await scene()
  const { engine, store } = example.runtime
  const session = await shaken(example)
  for (const to of ['ACTIVE', 'SUSPENDED', 'INITIALIZING'] as const) {
    const asked = { agent_id: AGENT, to, actor: 'agent', justification: 'please' } as const
    assert.equal(codeOf(await engine.moveAgent(asked)), 'LIFECYCLE_REFUSED', to)
  }
  done(await engine.requestRetire(AGENT, { session, reason: 'the mission is over' }))
  assert.equal(await statusOf(example), 'RETIRED')
  assert.equal(codeOf(await engine.session(session)), 'SESSION_INVALID')
  const last = (await store.listEntries('authority', 0, 100)).at(-1)
  const { body } = JSON.parse(last?.payload ?? '{}')
  assert.deepEqual([body.actor, body.justification], ['agent', 'the mission is over'])
  await example.close()
})

test('in process an agent may ask without a token; a suspended one may not', async () => {
  const example = await scene()
  const { engine } = example.runtime
  await shaken(example)
  await shaken(example, 'other_bot')
  done(await move(example, 'SUSPENDED'))
  assert.equal(codeOf(await engine.requestRetire(AGENT)), 'LIFECYCLE_REFUSED')
  done(await engine.requestRetire('other_bot'))
  assert.equal(await statusOf(example, 'other_bot'), 'RETIRED')
  await example.close()
})

test('an agent has so many sessions, and one more is refused until some have ended', async () => {
  const example = await scene()
  const { engine, store } = example.runtime
  const tokens: string[] = []
  for (let i = 0; i < LIMITS.sessionsPerAgent; i++) tokens.push(await shaken(example))
  assert.equal(codeOf(await engine.handshake({ agent: AGENT })), 'SESSIONS_FULL')
  const [first = '', second = ''] = tokens
  for (const token of tokens) done(await engine.session(token))
  await endSession(engine.context, first)
  assert.equal(codeOf(await engine.session(first)), 'SESSION_INVALID')
  await shaken(example)
  assert.equal(codeOf(await engine.handshake({ agent: AGENT })), 'SESSIONS_FULL')
  const only = done(await engine.handshake({ agent: AGENT, end_others: true }))
  assert.equal(codeOf(await engine.session(second)), 'SESSION_INVALID')
  done(await engine.session(only.session_token))
  const kept = await store.listRecords('session', AGENT, { limit: 1_000 })
  const named = await store.listRecords('session_token', 'tokens', { limit: 1_000 })
  assert.deepEqual([kept.length, named.length], [1, 1])
  await example.clock.advance(LIMITS.sessionMs)
  await shaken(example)
  assert.equal((await store.listRecords('session', AGENT, { limit: 1_000 })).length, 1)
  await example.close()
})

test('sessions that were opened at one moment are all ended by what stops their agent', async () => {
  const example = await scene()
  const { engine, store } = example.runtime
  await shaken(example)
  const many = Array.from({ length: 2 * LIMITS.sessionsPerAgent }, () => shaken(example))
  const tokens = await Promise.all(many)
  const kept = await store.listRecords('session', AGENT, { limit: 1_000 })
  assert.ok(kept.length > LIMITS.sessionsPerAgent, 'nobody saw the others')
  done(await move(example, 'SUSPENDED'))
  done(await move(example, 'ACTIVE'))
  for (const token of tokens) assert.equal(codeOf(await engine.session(token)), 'SESSION_INVALID')
  await shaken(example)
  assert.equal((await store.listRecords('session', AGENT, { limit: 1_000 })).length, 1)
  await example.close()
})

test('a dfid that the agent chose opens nothing', async () => {
  const example = await scene()
  const { engine, store } = example.runtime
  const before = await store.countLeaves()
  const dfid = '019ca8c0-0000-7000-8000-000000000001'
  for (const chosen of [dfid, '', null])
    assert.equal(
      codeOf(await engine.open({ agent: AGENT, trigger: 't', dfid: chosen })),
      'DFID_SUPPLIED',
    )
  assert.equal(await store.countLeaves(), before)
  assert.equal(await store.readFlow(dfid), null)
  await example.close()
})

/** A key that is registered for an agent, and what its holder signs. */
async function registered(
  { runtime }: Scene,
  subject: string,
): Promise<{ readonly key_id: string; readonly privateKey: KeyObject }> {
  const { context } = runtime.engine
  const { privateKey } = generateKeyPairSync('ed25519')
  const registration = {
    purpose: 'agent',
    subject,
    public_key: encodeBase64(toRawPublicKey(privateKey)),
  } as const
  const body = done(buildKeyRegistration(context, registration))
  const text = toCanonicalText(body as unknown as JsonValue)
  const possession = signed(privateKey, 'key', text)
  done(await registerKey(context, { ...registration, possession }))
  return { key_id: body.key_id, privateKey }
}

function signed(key: KeyObject, type: string, text: string): string {
  return encodeBase64(sign(null, encodePreAuth(toPayloadType(type), encodeUtf8(text)), key))
}

test('a session can be bound to a key of the agent, and ends with it', async () => {
  const example = await scene()
  const { engine } = example.runtime
  const { key_id, privateKey } = await registered(example, AGENT)
  const at = (): string => new Date(example.clock.now()).toISOString()
  let shakes = 0
  const greet = (change: JsonObject = {}, signed_at = at()) => {
    const request = { agent: AGENT, schema_version: '1.5', ...change }
    shakes += 1
    const proof = { key_id, signed_at, nonce: `nonce-${shakes}-${'x'.repeat(16)}` }
    const text = formatHandshake(engine.context, request, proof)
    const sig = signed(privateKey, 'handshake', text)
    return engine.handshake({ agent: AGENT, schema_version: '1.5', key: { ...proof, sig } })
  }
  const { session_token } = done(await greet())
  assert.equal(done(await engine.session(session_token)).key_id, key_id)
  done(await greet({}, new Date(example.clock.now() - LIMITS.handshakeMs).toISOString()))

  const early = new Date(example.clock.now() - LIMITS.handshakeMs - 1).toISOString()
  const late = new Date(example.clock.now() + LIMITS.handshakeMs + 1).toISOString()
  for (const signed_at of [early, late, 'yesterday'])
    assert.equal(codeOf(await greet({}, signed_at)), 'KEY_POSSESSION', signed_at)
  assert.equal(codeOf(await greet({ agent: 'other_bot' })), 'KEY_POSSESSION')
  assert.equal(codeOf(await greet({ schema_version: '1.0' })), 'KEY_POSSESSION')

  done(await retireKey(engine.context, key_id))
  assert.equal(codeOf(await engine.session(session_token)), 'SESSION_INVALID')
  assert.equal(codeOf(await greet()), 'KEY_POSSESSION')
  await example.close()
})

test('the key of another agent, of another purpose, or of nobody binds nothing', async () => {
  const example = await scene()
  const { engine } = example.runtime
  const { key_id } = await registered(example, 'other_bot')
  const kernel = engine.context.signer.publicKey('kernel')?.key_id ?? ''
  const signed_at = new Date(example.clock.now()).toISOString()
  for (const named of [key_id, kernel, 'agent-0000000000000000']) {
    const key = { key_id: named, signed_at, nonce: 'x'.repeat(16), sig: 'AAAA' }
    assert.equal(codeOf(await engine.handshake({ agent: AGENT, key })), 'KEY_POSSESSION')
  }
  assert.equal(await statusOf(example), 'INITIALIZING')
  await example.close()
})
