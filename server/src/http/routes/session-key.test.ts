/** What was said in a session that has ended since, or by a key that has: nothing of it is sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentKey } from 'rubicon-agents'
import { type Answer, type Failure, type JsonObject, LIMITS, type Result } from 'rubicon-kernel'
import {
  codeOf,
  type Desk,
  type DeskOptions,
  desk,
} from '../../../../runtime/src/engine/approve/escalation.test-support.ts'
import { compromiseKey, retireKey } from '../../../../runtime/src/engine/authority/keys.ts'
import { endSessions } from '../../../../runtime/src/engine/authority/registry/sessions.ts'
import { carryOutAccepted } from '../../../../runtime/src/engine/effect/carry-out.ts'
import { AGENT } from '../../../../runtime/src/engine/flow/flow-stage.test-support.ts'
import type { Failpoint } from '../../../../runtime/src/ports/failpoint.ts'
import { makeAgentKey, signHandshakeBody } from '../agent-auth/agent-key.ts'

type Bot = {
  readonly it: Desk
  readonly key: AgentKey
  /** Happens once, when the runtime comes by there. */
  at(point: Failpoint, act: () => Promise<unknown>): void
  /** Opens a flow and asks for a refund of so much, in its session. */
  asks(amount: string): Promise<{ readonly dfid: string; readonly answer: Answer }>
}

function done<T>(result: Result<T, Failure>): T {
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

const LAST_MS = 10_000

/** A bot with a session that is bound to its key, and soon over. */
async function bot(options: DeskOptions = {}): Promise<Bot> {
  let armed: { readonly point: Failpoint; act(): Promise<unknown> } | null = null
  const failpoints = {
    async reach(point: Failpoint) {
      if (armed?.point !== point) return
      const { act } = armed
      armed = null
      await act()
    },
  }
  const it = await desk({ failpoints, ...options })
  const key = done(await makeAgentKey(it.engine(), AGENT))
  const greeted = await it.engine().handshake(await signHandshakeBody(it.engine(), AGENT, key))
  const session = done(greeted).session_token
  await it.clock.advance(LIMITS.sessionMs - LAST_MS)
  return {
    it,
    key,
    at(point, act) {
      armed = { point, act }
    },
    async asks(amount) {
      const { dfid } = await it.runtime().open({ agent: AGENT, trigger: 'ticket' })
      const proposal = { policy_kind: 'REFUND', params: { order: 'o-1', amount } }
      return { dfid, answer: await it.engine().propose(dfid, proposal, { session, waitMs: 0 }) }
    },
  }
}

type End = (bot: Bot) => Promise<unknown>

const KEY_ENDS: Readonly<Record<string, End>> = {
  compromised: async ({ it, key }) => done(await compromiseKey(it.engine().context, key.key_id, 0)),
  retired: async ({ it, key }) => done(await retireKey(it.engine().context, key.key_id)),
}

const SESSION_ENDS: Readonly<Record<string, End>> = {
  'its agent was suspended and let go again': async ({ it }) => {
    for (const to of ['SUSPENDED', 'ACTIVE'] as const)
      done(
        await it
          .engine()
          .moveAgent({ agent_id: AGENT, to, actor: 'operator', justification: 'looked at it' }),
      )
  },
  'it ran out': ({ it }) => it.clock.advance(LAST_MS),
  // Its agent, its key and the authority stay as they are: the version of its record alone tells.
  'its record was ended, and nothing else moved': async ({ it }) => {
    const { context } = it.engine()
    const writes = await endSessions(context, AGENT)
    assert.ok((await context.store.commit({ guards: [], writes })).ok)
  },
}

async function kinds({ it }: Bot, dfid: string): Promise<readonly string[]> {
  return (await it.entries(dfid)).map(([kind]) => kind)
}

for (const [how, end] of Object.entries({ ...KEY_ENDS, ...SESSION_ENDS }))
  for (const point of ['propose.after_compile', 'dispatch.before_commit'] as const)
    test(`a proposal on its way is not sent once its session has ended: ${how}, at ${point}`, async () => {
      const one = await bot()
      one.at(point, () => end(one))
      const { dfid, answer } = await one.asks('20.00')
      const code = how === 'it ran out' ? 'SESSION_EXPIRED' : 'SESSION_INVALID'
      assert.deepEqual([answer.outcome, answer.reason_code], ['REJECTED', code])
      assert.deepEqual(await kinds(one, dfid), ['writ'])
      assert.deepEqual(one.it.sent, [])
      await one.it.close()
    })

for (const [how, end] of Object.entries(SESSION_ENDS))
  test(`nobody is asked about what was said in a session that has ended: ${how}`, async () => {
    const one = await bot()
    one.at('escalate.before_commit', () => end(one))
    const { dfid, answer } = await one.asks('800.00')
    assert.match(answer.reason_code ?? '', /^SESSION_(EXPIRED|INVALID)$/)
    assert.deepEqual(await kinds(one, dfid), ['writ'])
    await one.it.close()
  })

async function carriedOut({ it }: Bot, dfid: string): Promise<readonly unknown[]> {
  const { context } = it.engine()
  assert.equal(await carryOutAccepted(context), 1)
  await context.inFlight.awaitDrained()
  const [, last] = (await it.entries(dfid)).at(-1) ?? []
  return [last?.status, last?.reason_code]
}

for (const [how, end] of Object.entries(KEY_ENDS))
  test(`finding 10a: nothing is sent that was accepted in a session whose key was ${how} since`, async () => {
    const one = await bot({ executors: 'elsewhere' })
    const { dfid, answer } = await one.asks('20.00')
    assert.equal(answer.outcome, 'ACCEPTED')
    await end(one)
    assert.deepEqual(await carriedOut(one, dfid), ['ABANDONED', 'KEY_PURPOSE'])
    assert.deepEqual(one.it.sent, [])
    await one.it.close()
  })

for (const [how, end] of Object.entries(SESSION_ENDS))
  test(`what was accepted goes on when only its session has ended: ${how}`, async () => {
    const one = await bot({ executors: 'elsewhere' })
    const { dfid } = await one.asks('20.00')
    await end(one)
    await carriedOut(one, dfid)
    assert.deepEqual(one.it.sent, ['20.00'])
    await one.it.close()
  })

for (const [how, end] of Object.entries(KEY_ENDS)) {
  test(`nobody can release what was asked in a session whose key was ${how} since`, async () => {
    const one = await bot()
    const { dfid } = await one.asks('800.00')
    await end(one)
    assert.equal(codeOf(await one.it.decide()), 'KEY_PURPOSE')
    const id = (await one.it.waiting()).request.id
    const onlooker = { name: 'ann@example.com', approver: true }
    const asked = done(await one.it.engine().oversight.askAgain(id, onlooker))
    assert.deepEqual([asked.answer.outcome, asked.answer.reason_code], ['REJECTED', 'KEY_PURPOSE'])
    assert.deepEqual((await kinds(one, dfid)).slice(-1), ['rejection'])
    assert.deepEqual(one.it.sent, [])
    await one.it.close()
  })

  test(`nothing is released after its approval in a session whose key was ${how} since`, async () => {
    const one = await bot()
    const { dfid } = await one.asks('800.00')
    one.at('release.before_commit', () => end(one))
    await one.it.decide()
    const [kind, last] = (await one.it.entries(dfid)).at(-1) ?? []
    assert.deepEqual([kind, last?.reason_code], ['rejection', 'KEY_PURPOSE'])
    assert.deepEqual(one.it.sent, [])
    await one.it.close()
  })
}

test('a session may end while a person thinks; the facts name its key', async () => {
  const one = await bot()
  const { dfid } = await one.asks('800.00')
  await SESSION_ENDS['its agent was suspended and let go again']?.(one)
  done(await one.it.decide())
  assert.deepEqual(one.it.sent, ['800.00'])
  const said = (await one.it.entries(dfid)).flatMap(([, { facts }]) => facts ?? [])
  const { key_id } = one.key
  const auth = {
    kind: 'session',
    agent_id: AGENT,
    key: { key_id, purpose: 'agent', subject: AGENT },
  }
  assert.deepEqual(
    said.map((facts) => (facts as JsonObject).auth),
    [auth, auth],
  )
  await one.it.close()
})
