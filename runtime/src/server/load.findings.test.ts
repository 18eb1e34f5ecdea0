import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { refundCapability, refundsContract } from '../scenarios/refunds.ts'
import { type HttpAnswer, type HttpPlace, type HttpQuestion, ask as request } from './client.ts'
import { draftThread } from './drafts/draft-thread.ts'
import { get, post, problemOf, refund, served } from './served.test-support.ts'

/** Rules that take longer to read than anybody waits for. */
const MANY_RULES = Array.from(
  { length: 900 },
  (_, i) => `forbid(principal, action, resource) when { context.params.order == "o-${i}" };`,
)
  .join('')
  .slice(0, LIMITS.sourceLength)

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

test('finding 32b: judging the last decisions of a long flow lets nobody in between', async (t) => {
  const refunding = refundCapability([])
  let judged: string[] | null = null
  let ask = (): void => {}
  const contract = refundsContract()
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

test('of one asker so many drafts wait, and those of others go in between', async () => {
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
})

function put(place: HttpPlace, path: string, question: HttpQuestion): Promise<HttpAnswer> {
  return request(place, 'PUT', path, question)
}
