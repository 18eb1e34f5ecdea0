import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { formatContract } from '../../../../runtime/src/contract-file/contract-text.ts'
import { checkCase } from '../../../../runtime/src/evidence/policy-case.ts'
import { createCedarPolicy } from '../../../../runtime/src/policies/cedar.ts'
import { buildRefundsContract } from '../../demo/refunds.ts'
import type { HttpAnswer, HttpPlace } from '../agent-auth/client.ts'
import { AGENT, get, post, problemOf, refund, type Served, served } from '../served.test-support.ts'

const CEDAR = `@id("small") forbid(principal, action == Action::"REFUND", resource)
when { context.measures.refund_usd.greaterThan(decimal("15.0")) };`

type Decided = Served & { readonly ann: HttpPlace; try(body: object): Promise<HttpAnswer> }

/** Six decisions: 20 is accepted, 1200 escalated, 9000 refused, twice each. */
async function decided(
  t: TestContext,
  options: Parameters<typeof served>[1] = {},
): Promise<Decided> {
  const it = await served(t, options)
  const bot = await it.agent()
  for (const amount of ['20.00', '1200.00', '9000.00', '20.00', '1200.00', '9000.00']) {
    const flow = await it.open(bot)
    await it.propose(bot, flow, refund(flow, amount))
  }
  const ann = it.person('ann', 'auditor')
  return { ...it, ann, try: (body) => post(ann, '/v1/playground', { body }) }
}

function limitedTo(max: string): string {
  const contract = buildRefundsContract()
  const [alone, ever] = contract.permissions.limits
  const limits = [alone, { ...ever, max }]
  return formatContract({
    ...contract,
    permissions: { ...contract.permissions, limits },
  } as typeof contract)
}

async function firstOf(it: Decided, outcome: string): Promise<{ trajectory: string; seq: number }> {
  const { body } = await get(it.ann, `/v1/decisions?outcome=${outcome}&limit=1`)
  const { trajectory, seq } = body.decisions[0]
  return { trajectory, seq }
}

test('decisions are listed a page at a time, of everybody or of one agent', async (t) => {
  const it = await decided(t)
  const all = await get(it.ann, '/v1/decisions')
  assert.deepEqual(
    all.body.decisions.map(({ outcome, code }: Record<string, unknown>) => [outcome, code]),
    [
      ['REJECTED', 'LIMIT_EXCEEDED'],
      ['ESCALATED', 'AUTHORITY_CEILING'],
      ['ACCEPTED', null],
      ['REJECTED', 'LIMIT_EXCEEDED'],
      ['ESCALATED', 'AUTHORITY_CEILING'],
      ['ACCEPTED', null],
    ],
  )
  const seen: unknown[] = []
  for (let next: string | null = ''; next !== null; ) {
    const cursor: string = next === '' ? '' : `&cursor=${next}`
    const { body } = await get(it.ann, `/v1/decisions?limit=2${cursor}`)
    seen.push(...body.decisions)
    next = body.next
  }
  assert.deepEqual(seen, all.body.decisions)
  assert.deepEqual((await get(it.ann, '/v1/decisions?agent=nobody')).body.decisions, [])
  assert.equal((await get(it.ann, '/v1/decisions?kind=REFUND')).body.decisions.length, 6)
  assert.deepEqual((await get(it.ann, '/v1/decisions?kind=STEAL')).body.decisions, [])
  for (const outcome of ['ACCEPTED', 'REJECTED', 'ESCALATED']) {
    const { body } = await get(it.ann, `/v1/decisions?outcome=${outcome}`)
    const wanted = seen.filter((row) => Object(row).outcome === outcome)
    assert.ok(wanted.length > 0, outcome)
    assert.deepEqual(body.decisions, wanted)
  }
})

test('a list of decisions that has looked through enough flows says where to go on', async (t) => {
  const it = await served(t)
  const ann = it.person('ann', 'auditor')
  // More flows than anybody looks through, and in none of them a decision.
  let flows = LIMITS.pastFlowsListed
  t.mock.method(it.runtime.store, 'listFlows', async ({ limit }: { limit: number }) => {
    const rows = Array.from({ length: Math.min(limit, flows) }, (_, i) => `flow-${flows - i}`)
    flows -= rows.length
    return rows.map((dfid) => ({ dfid, agent_id: AGENT }))
  })
  t.mock.method(it.runtime.store, 'listFlowEntries', async () => [])
  const { body } = await get(ann, '/v1/decisions')
  assert.deepEqual(body.decisions, [])
  assert.equal(Buffer.from(body.next, 'base64url').toString(), '["flow-1"]')
  flows = LIMITS.pastFlowsListed - 1
  assert.equal((await get(ann, `/v1/decisions?cursor=${body.next}`)).body.next, null)
})

test('a decision under the law in force is what was recorded, and nothing is written', async (t) => {
  const it = await decided(t)
  const leaves = await it.runtime.store.countLeaves()
  for (const outcome of ['ACCEPTED', 'ESCALATED', 'REJECTED']) {
    const { body } = await it.try({ decision: await firstOf(it, outcome) })
    assert.deepEqual([body.one.flips, body.one.now.outcome], [false, outcome])
    assert.deepEqual(body.one.now, body.one.recorded)
    assert.equal(body.last, null)
    assert.ok(body.one.trace.length > 8)
  }
  assert.equal(await it.runtime.store.countLeaves(), leaves)
  assert.equal(it.calls.length, 2)
})

test('each rule says how often it was asked, decided and erred', async (t) => {
  const it = await decided(t)
  const text = `// small ones wait
${CEDAR}

@id("never") forbid(principal, action == Action::"STEAL", resource);
@id("blind") forbid(principal, action == Action::"REFUND", resource)
when { context.params.amount == "1200.00" && context.params.nothing == "x" };`
  const { body } = await it.try({ last: 100, cedar: { name: 'draft', text } })
  // The two that are over the limit for ever are refused before any policy is asked.
  assert.deepEqual(body.last.coverage, [
    { policy: 'draft', rule: 'small', line: 2, evaluated: 4, determined: 4, erred: 0 },
    { policy: 'draft', rule: 'never', line: 5, evaluated: 4, determined: 0, erred: 0 },
    { policy: 'draft', rule: 'blind', line: 6, evaluated: 4, determined: 0, erred: 2 },
  ])
})

test('limits of a contract that is tried are counted for its own agent', async (t) => {
  const it = await decided(t)
  const { body } = await it.try({ last: 100, contract: limitedTo('1000.00') })
  assert.deepEqual(
    body.last.coverage.map(({ policy, rule, evaluated, determined }: Record<string, unknown>) => {
      return [policy, rule, evaluated, determined]
    }),
    [
      [null, 'alone', 6, 4],
      [null, 'ever', 6, 4],
    ],
  )
  assert.deepEqual((await it.try({ last: 100 })).body.last.coverage, [])
})

test('a changed contract flips what it touches, of its own agent', async (t) => {
  const it = await decided(t)
  const decision = await firstOf(it, 'ESCALATED')
  const { body } = await it.try({ decision, last: 100, contract: limitedTo('1000.00') })
  assert.deepEqual(body.one.now, { outcome: 'REJECTED', code: 'LIMIT_EXCEEDED' })
  assert.equal(body.one.stage, 'preconditions')
  assert.equal(body.one.reasons[0].details.limit ?? body.one.reasons[0].code, 'ever')
  assert.match(body.one.contract, /max: "1000"/)
  const { decisions, skipped, flips } = body.last
  assert.deepEqual([decisions, skipped, flips.length], [6, 0, 2])
  assert.deepEqual(flips[0].recorded, { outcome: 'ESCALATED', code: 'AUTHORITY_CEILING' })
  const one = await it.try({ last: 2, contract: limitedTo('1000.00') })
  assert.deepEqual([one.body.last.decisions, one.body.last.flips.length], [2, 1])
  const other = await it.try({ last: 100, agent: 'nobody', contract: limitedTo('1000.00') })
  assert.equal(other.body.last.decisions, 0)
})

test('a Cedar draft flips what it forbids, and names the rule; a rule that errs refuses', async (t) => {
  const it = await decided(t)
  const decision = await firstOf(it, 'ACCEPTED')
  const cedar = { name: 'desk', text: CEDAR }
  const { body } = await it.try({ decision, last: 100, cedar })
  assert.deepEqual(body.one.now, { outcome: 'REJECTED', code: 'POLICY_DENIED' })
  assert.deepEqual(body.one.determining, [{ policy: 'desk', rule: 'small' }])
  assert.deepEqual([body.last.decisions, body.last.flips.length], [6, 4])
  const errs = CEDAR.replace('measures.refund_usd', 'params.nowhere')
  const { body: wrong } = await it.try({ decision, cedar: { name: 'desk', text: errs } })
  assert.equal(wrong.one.now.code, 'POLICY_ERROR')
  assert.deepEqual(
    wrong.one.erroring.map(({ policy, rule }: Record<string, unknown>) => [policy, rule]),
    [['desk', 'small']],
  )
})

test('a draft takes the place of the loaded policy of its name', async (t) => {
  const loaded = createCedarPolicy({ name: 'desk', version: '1', text: CEDAR }, nodeCrypto.sha256)
  assert.ok(loaded.ok)
  const it = await decided(t, { policies: [loaded.value] })
  const { body: law } = await get(it.ann, '/v1/policies')
  assert.deepEqual(
    law.policies.map(({ name, language, source }: Record<string, unknown>) => [
      name,
      language,
      source,
    ]),
    [['desk', 'cedar', CEDAR]],
  )
  assert.ok(law.capabilities.some(({ kind }: { kind: string }) => kind === 'REFUND'))
  const { body: standing } = await get(it.ann, '/v1/policies/standing')
  assert.deepEqual([standing, standing.kind], [law.standing, 'in_force'])
  const decision = await firstOf(it, 'REJECTED')
  const wide = CEDAR.replace('15.0', '9999.0')
  const { body } = await it.try({ last: 6, cedar: { name: 'desk', text: wide } })
  assert.equal(body.last.flips.length, 4)
  const beside = await it.try({ decision, last: 6, cedar: { name: 'another', text: wide } })
  assert.equal(beside.body.last.flips.length, 0)
})

test('parameters can be tried, and are held against the schema of the capability', async (t) => {
  const it = await decided(t)
  const decision = await firstOf(it, 'REJECTED')
  const params = { order: 'o_1', amount: '10.00' }
  const { body } = await it.try({ decision, params })
  assert.deepEqual([body.one.now.outcome, body.one.proposal.params], ['ACCEPTED', params])
  const bad = await it.try({ decision, params: { order: 7 } })
  assert.equal(bad.body.one.now.code, 'ARGUMENTS_INVALID')
})

test('a decision is saved as a test that rules pass or fail', async (t) => {
  const it = await decided(t)
  const decision = await firstOf(it, 'ACCEPTED')
  const cedar = { name: 'desk', text: CEDAR }
  const { body } = await it.try({ decision, cedar, save: 'small refunds wait' })
  const { rules } = it.runtime.engine.context.book
  assert.equal(checkCase(body.one.saved, rules).ok, false)
  const policy = createCedarPolicy({ ...cedar, version: '1' }, nodeCrypto.sha256)
  assert.ok(policy.ok)
  const stricter = { ...rules, policies: [policy.value] }
  assert.deepEqual(checkCase(body.one.saved, stricter), {
    name: 'small refunds wait',
    ok: true,
    expect: { outcome: 'REJECTED', code: 'POLICY_DENIED' },
    found: { outcome: 'REJECTED', code: 'POLICY_DENIED' },
  })
})

test('what cannot be tried is refused by name', async (t) => {
  const it = await decided(t)
  const decision = await firstOf(it, 'ACCEPTED')
  const other = formatContract({ ...buildRefundsContract(), agent_id: 'other_bot' })
  const refusals: readonly (readonly [object, number, string])[] = [
    [{ decision: { trajectory: 'main', seq: 0 } }, 404, 'ENTRY_NO_DECISION'],
    [{ decision: { trajectory: 'main', seq: 999_999 } }, 404, 'ENTRY_NO_DECISION'],
    [{ decision, contract: 'agent_id: [' }, 422, 'CONTRACT_INVALID'],
    [{ decision, contract: other }, 403, 'IDENTITY_MISMATCH'],
    [{ decision, cedar: { name: 'x', text: 'permit everything' } }, 422, 'POLICY_INVALID'],
    [{ last: LIMITS.pastDecisions + 1 }, 422, 'SCHEMA_INVALID'],
    [{ last: 0 }, 422, 'SCHEMA_INVALID'],
    [{ cedar: { name: 'x', text: CEDAR } }, 422, 'SCHEMA_INVALID'],
    [{ decision, more: 1 }, 422, 'SCHEMA_INVALID'],
  ]
  for (const [body, status, code] of refusals)
    assert.deepEqual(problemOf(await it.try(body)), [status, code], JSON.stringify(body))
  const bot = await it.agent()
  const asked = await post(bot, '/v1/playground', { body: { last: 1 } })
  assert.deepEqual(problemOf(asked), [403, 'ROLE_MISSING'])
  assert.equal((await it.try({ last: 10, agent: AGENT })).status, 200)
})
