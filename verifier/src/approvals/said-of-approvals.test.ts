/** What is found of requests, decisions and what ran on them: each rule in its words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyTwice } from '../samples/agreement.test-support.ts'
import {
  type Case,
  DECIDED,
  ledger,
  OTHER,
  RAN,
  REQUESTED,
} from '../samples/sample-approvals.test-support.ts'

/** What is said at a place, by whatever rule. */
async function told(leaf: number, change: Case, isTwice = false): Promise<readonly string[]> {
  const { builder, again } = ledger(change)
  if (isTwice) again()
  const { findings } = await verifyTwice(builder.text())
  const at = isTwice ? builder.entries.length - 1 : leaf
  return findings.filter((one) => one.leaf === at).map(({ detail }) => detail)
}

test('a request that is in order, its decision and what ran on it are not spoken of', async () => {
  const { builder } = ledger()
  const { findings } = await verifyTwice(builder.text())
  assert.deepEqual(findings, [])
})

test('a request is about its own flow, and asks those whom the contract names', async () => {
  assert.ok(
    (await told(REQUESTED, { request: { dfid: OTHER } })).includes(
      'the request is about another flow',
    ),
  )
  const persons = { owner: 'p_bob', approvers: [] }
  assert.deepEqual(await told(REQUESTED, { request: { persons } }), [
    'the contract of its flow names another agent or other approvers',
  ])
  assert.ok(
    (await told(REQUESTED, { request: { channel: 'risk' } })).includes(
      'its approvers are not those that its triggers name',
    ),
  )
})

test('a decision is about its request, in time, and once', async () => {
  const cases: readonly (readonly [Case, string])[] = [
    [{ body: { request_id: 'another' } }, 'there is no such request before the decision'],
    [{ body: { dfid: OTHER } }, 'the decision is about another flow'],
    [{ body: { intent_digest: OTHER } }, 'the decision is about another proposal than the request'],
    [
      { body: { shown_snapshot: 'another' } },
      'the decision is about another proposal than the request',
    ],
    [{ body: { decision: 'MODIFY' } }, 'its modification was not judged'],
    [{ releases: OTHER }, 'it releases another proposal than the request is about'],
    [{ body: { decision: 'ABORT' } }, 'it was released without an approval'],
    [{ request: { needs: 2 } }, 'it has too few approvals'],
    [{ request: { expires_at: '2026-02-01T09:00:00.000Z' } }, 'the request had expired'],
    [{ body: { person: 'p_nobody' } }, 'the person who decides is not registered'],
    [{ body: { approver: 'agent:stranger' } }, 'the agent is not above the one that asks'],
  ]
  for (const [change, said] of cases) {
    const all = await told(DECIDED, change)
    assert.ok(all.includes(said), `${said} in ${all.join('; ')}`)
  }
})

test('what ran is what was approved, once, and as it is stated', async () => {
  const used = await told(RAN, {}, true)
  assert.ok(used.includes('the approval was used before'), used.join('; '))
  const cases: readonly (readonly [Case, string])[] = [
    [{ approval: null }, 'it needed an approval, and there is none'],
    [{ approval: { request_id: 'another' } }, 'there is no approval before it'],
    [{ releases: null }, 'there is no approval before it'],
    [
      { approval: { approver: 'bob@example.com' } },
      'the approval that it states is not the recorded one',
    ],
    [{ body: { lifts: [] } }, 'the approval does not lift all of its triggers'],
    [{ releases: OTHER }, 'what ran is not what was approved'],
    [{ approval: { valid_until: '2026-02-01T09:00:00.000Z' } }, 'the approval had expired'],
    [{ body: { valid_until: '2026-02-01T09:00:00.000Z' } }, 'the approval had expired'],
  ]
  for (const [change, said] of cases) {
    const all = await told(RAN, change)
    assert.ok(all.includes(said), `${said} in ${all.join('; ')}`)
  }
})
