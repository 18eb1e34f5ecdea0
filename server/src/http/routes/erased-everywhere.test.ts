/** After an erasure no route shows what a flow said, whatever was looked at before. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Capability } from 'rubicon-runtime'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { refundCapability } from '../../demo/refunds.ts'
import type { HttpPlace } from '../agent-auth/client.ts'
import { AGENT, freshKey, get, type OpenFlow, post, served } from '../served.test-support.ts'

const WORDS = 'Wilhelmina'

/** What was bought is changed by the next flow, so that the World as it is has nothing of the first. */
const bought: Capability['execute'] = ({ params: { order } }) => {
  const value = { order: order ?? null }
  const one = { kind: 'purchase', id: 'last', value } as const
  const isFirst = String(order).includes(WORDS)
  return {
    result: { ordered: order ?? null },
    receipt: `receipt of ${order}`,
    delta: [isFirst ? { op: 'create', ...one } : { op: 'replace', expected_version: 1, ...one }],
  }
}

test('what was erased is on no page any more, though all of them were looked at before', async (t) => {
  const folder = temporaryFolder()
  const capabilities = [{ ...refundCapability([]), execute: bought }]
  const store = `sqlite:${join(folder, 'store.db')}`
  const it = await served(t, { store, stateDirectory: folder, capabilities, background: false })
  const olga = it.person('olga@example.com', 'operator', 'approver', 'auditor')
  const bot = await it.agent()
  const act = async (order: string): Promise<OpenFlow> => {
    const flow = await it.open(bot, { trigger: `order of ${order}`, steps: 'many' })
    const { dfid } = flow
    const noted = await post(bot, `/v1/flows/${dfid}/notes`, { body: { text: `${order} called` } })
    assert.equal(noted.status, 201, JSON.stringify(noted.body))
    const params = { order, amount: '20.00' }
    const justification = `${order} asked for it`
    const answer = await it.propose(bot, flow, { params, justification })
    assert.equal(answer.body.outcome, 'ACCEPTED', JSON.stringify(answer.body))
    const refused = { params: { order, amount: '90000.00' }, justification }
    await it.propose(bot, flow, refused)
    const closed = await post(bot, `/v1/flows/${dfid}/closure`, { body: {}, headers: freshKey() })
    assert.equal(closed.status, 200, JSON.stringify(closed.body))
    return flow
  }
  const { dfid } = await act(WORDS)
  const other = await act('o_2')
  const document = await get(olga, '/openapi.json')
  const leaves = await it.runtime.store.countLeaves()
  const asked = Object.entries(document.body.paths as Record<string, object>)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) => path)
    .filter((path) => !/events$|sign-in|metrics|export$/.test(path))
    .flatMap((path) => fill(path, dfid, leaves))
  const look = async (): Promise<string[]> => {
    const shown: string[] = []
    const note = async (who: string, place: HttpPlace, path: string): Promise<void> => {
      const { body } = await get(place, path)
      if (JSON.stringify(body).includes(WORDS)) shown.push(`${who} ${path}`)
    }
    for (const path of asked) await note('person', olga, path)
    for (const path of asked) if (path.includes(dfid)) await note('agent', bot, path)
    return shown
  }
  const before = await look()
  for (const path of [`/v1/flows/${dfid}`, '/v1/trajectories/main/world?at=4'])
    assert.ok(before.includes(`person ${path}`), `${path} of ${before.join('\n')}`)
  const body = { reason: 'asked for' }
  const erased = await post(olga, `/v1/flows/${dfid}/erasure`, { body, headers: freshKey() })
  assert.equal(erased.status, 200, JSON.stringify(erased.body))
  // What a change replaced stands in its own flow, which is erased by itself.
  const later = await it.runtime.store.listFlowEntries(other.dfid)
  const changed = later.find(({ envelope }) => envelope.kind === 'commit')
  assert.deepEqual(await look(), [
    `person /v1/ledger/entries/${changed?.leaf}`,
    'person /v1/trajectories/main/entries',
  ])
})

/** With what is there in place of each name in the path. */
function fill(path: string, dfid: string, leaves: number): readonly string[] {
  const filled = path
    .replace('{dfid}', dfid)
    .replace('{agent_id}', AGENT)
    .replace('/agents/{id}', `/agents/${AGENT}`)
    .replace('/trajectories/{id}', '/trajectories/main')
    .replace('/executions/{id}', `/executions/${dfid}:1`)
    .replace('/escalations/{id}', `/escalations/${dfid}:1`)
  if (filled.includes('{leaf}'))
    return Array.from({ length: leaves }, (_, leaf) => filled.replace('{leaf}', String(leaf)))
  const at = Array.from({ length: leaves }, (_, seq) => seq)
  if (filled.endsWith('/world')) return [filled, ...at.map((seq) => `${filled}?at=${seq}`)]
  if (filled.endsWith('/changes')) return [`${filled}?kind=purchase&resource=last`]
  const words = /^\/v1\/(flows|executions|escalations)$/.test(filled)
  return [filled, ...(words ? [`${filled}?words=${WORDS}`] : [])]
}
