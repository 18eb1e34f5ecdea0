import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Failure, LIMITS, type Result } from 'rubicon-kernel'
import { type Example, exampleRuntime } from '../../../evidence/example.test-support.ts'
import { issueWrit } from '../writs.ts'

const AGENT = 'refunds_bot'

function done<T>(result: Result<T, Failure>): T {
  assert.ok(result.ok, result.ok ? '' : `${result.error.code}: ${result.error.why}`)
  return result.value
}

const refund = (writ_id?: string) => ({
  policy_kind: 'REFUND',
  params: { order: 'o', amount: '20.00' },
  ...(writ_id === undefined ? {} : { writ_id }),
})

/** The state of a flow, and what its last rejection says about its end. */
async function end({ runtime }: Example, dfid: string): Promise<readonly unknown[]> {
  const flow = await runtime.store.readFlow(dfid)
  const last = (await runtime.store.listFlowEntries(dfid)).at(-1)
  return [flow?.state, JSON.parse(last?.payload ?? '{}').ended_flow ?? null]
}

const ABORTED = ['ABORTED', 'AUTHORITY_REVOKED']
const OPEN = ['ACTIVE', null]

async function opened(): Promise<
  Example & { readonly flow: Awaited<ReturnType<Example['runtime']['open']>> }
> {
  const example = await exampleRuntime({ background: false })
  const flow = await example.runtime.open({ agent: AGENT, trigger: 'ticket', steps: 'many' })
  return { ...example, flow }
}

test('a flow whose contract is revoked is aborted at the next check, with nothing sent', async () => {
  const example = await opened()
  const { engine } = example.runtime
  done(await engine.revoke({ target: 'contract', id: AGENT, reason: 'audit' }))
  const answer = await example.flow.propose(refund())
  assert.deepEqual(
    [answer.outcome, answer.reason_code, answer.disposition, answer.feedback?.details.ended_flow],
    ['REJECTED', 'CONTRACT_REVOKED', 'hard_stop', 'AUTHORITY_REVOKED'],
  )
  assert.deepEqual(await end(example, example.flow.dfid), ABORTED)
  assert.equal((await example.flow.propose(refund())).reason_code, 'FLOW_NOT_OPEN')
  assert.equal(example.calls(), 0)
  await example.close()
})

test('so is one whose own writ is revoked, or that of a flow above it', async () => {
  const example = await opened()
  const { runtime } = example
  const child = await runtime.open({ agent: AGENT, trigger: 'step', parent: example.flow.dfid })
  const writ = (await runtime.store.readFlow(example.flow.dfid))?.writs[0]?.id ?? ''
  done(await runtime.engine.revoke({ target: 'writ', id: writ, reason: 'mistake' }))
  assert.equal((await child.propose(refund())).reason_code, 'WRIT_REVOKED')
  assert.deepEqual(await end(example, child.dfid), ABORTED)
  assert.equal((await example.flow.propose(refund())).reason_code, 'WRIT_REVOKED')
  assert.deepEqual((await end(example, example.flow.dfid))[0], 'ABORTED')
  await example.close()
})

test('a writ that only the proposal named takes the proposal with it, not the flow', async () => {
  const example = await opened()
  const { engine } = example.runtime
  const borrowed = done(await issueWrit(engine.context, { agent: AGENT }))
  done(await engine.revoke({ target: 'writ', id: borrowed.id, reason: 'mistake' }))
  assert.equal((await example.flow.propose(refund(borrowed.id))).reason_code, 'WRIT_REVOKED')
  assert.deepEqual(await end(example, example.flow.dfid), OPEN)
  assert.equal((await example.flow.propose(refund())).outcome, 'ACCEPTED')
  await example.close()
})

test('what was never issued cannot be revoked, and nothing is written', async () => {
  const example = await opened()
  const { engine, store } = example.runtime
  const before = await store.countLeaves()
  const refused = async (target: 'writ' | 'contract', id: string): Promise<string> => {
    const done = await engine.revoke({ target, id, reason: 'mistake' })
    return done.ok ? 'revoked' : done.error.code
  }
  assert.equal(await refused('writ', `sha256:${'0'.repeat(64)}`), 'WRIT_MISSING')
  assert.equal(await refused('writ', 'no-address'), 'WRIT_MISSING')
  assert.equal(await refused('contract', 'nobody'), 'AGENT_UNKNOWN')
  assert.equal(await refused('contract', `${AGENT}@9.9.9`), 'AGENT_UNKNOWN')
  assert.equal(await store.countLeaves(), before)
  await example.close()
})

test('a flow of a retired agent is aborted; one of a suspended agent waits for an operator', async () => {
  const example = await opened()
  const { engine } = example.runtime
  const move = (to: 'SUSPENDED' | 'ACTIVE' | 'RETIRED') =>
    engine.moveAgent({ agent_id: AGENT, to, actor: 'operator', justification: 'because' })
  done(await move('SUSPENDED'))
  assert.equal((await example.flow.propose(refund())).reason_code, 'AGENT_SUSPENDED')
  assert.deepEqual(await end(example, example.flow.dfid), OPEN)
  done(await move('ACTIVE'))
  assert.equal((await example.flow.propose(refund())).outcome, 'ACCEPTED')
  done(await move('RETIRED'))
  const later = { ...refund(), step_id: 'later' }
  assert.equal((await example.flow.propose(later)).reason_code, 'AGENT_RETIRED')
  assert.deepEqual(await end(example, example.flow.dfid), ABORTED)
  await example.close()
})

test('the kill switch suspends and revokes in one unit, and the next check aborts', async () => {
  const example = await opened()
  const { engine, store } = example.runtime
  const { session_token } = done(await engine.handshake({ agent: AGENT }))
  const before = await store.countLeaves()
  const killed = done(await engine.kill(AGENT, 'it buys everything'))
  assert.deepEqual([killed.from, killed.to], ['ACTIVE', 'SUSPENDED'])
  const entries = await store.listLeaves(before, 10)
  assert.deepEqual(
    entries.map(({ envelope }) => [envelope.kind, envelope.at]),
    [
      ['lifecycle', entries[0]?.envelope.at],
      ['revocation', entries[0]?.envelope.at],
    ],
  )
  assert.equal(entries.at(-1)?.envelope.seq, killed.seq)
  const answer = await example.flow.propose(refund())
  assert.equal(answer.reason_code, 'AGENT_SUSPENDED')
  assert.deepEqual(await end(example, example.flow.dfid), ABORTED)
  assert.ok(!(await engine.session(session_token)).ok)
  assert.equal(example.calls(), 0)
  await example.close()
})

test('killed again, or after it was stopped, an agent stays what it is', async () => {
  const example = await opened()
  const { engine, store } = example.runtime
  done(await engine.kill(AGENT, 'once'))
  const before = await store.countLeaves()
  assert.deepEqual(done(await engine.kill(AGENT, 'twice')).to, 'SUSPENDED')
  const [entry, ...more] = await store.listLeaves(before, 10)
  assert.deepEqual([entry?.envelope.kind, more.length], ['revocation', 0])
  const justification = 'enough'
  const retire = { agent_id: AGENT, to: 'RETIRED', actor: 'operator', justification } as const
  done(await engine.moveAgent(retire))
  assert.deepEqual(done(await engine.kill(AGENT, 'thrice')).to, 'RETIRED')
  const unknown = await engine.kill('nobody', 'who?')
  assert.ok(!unknown.ok && unknown.error.code === 'AGENT_UNKNOWN')
  await example.close()
})

test('how somebody says why keeps an agent from being stopped', async () => {
  for (const reason of ['odd \ud83d', 'x'.repeat(LIMITS.justificationLength + 1), '']) {
    const example = await opened()
    const { engine } = example.runtime
    assert.equal(done(await engine.kill(AGENT, reason)).to, 'SUSPENDED')
    assert.ok((await engine.revoke({ target: 'contract', id: AGENT, reason })).ok)
    await example.close()
  }
})
