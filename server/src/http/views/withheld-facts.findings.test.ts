/** What an agent reads of artifacts in its own flow: nothing that `artifact.read` would not have answered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import {
  type ArtifactStage,
  openStage,
  type Planned,
  toPlanned,
} from '../../../../runtime/src/artifacts/artifact-stage.test-support.ts'
import { systemClock } from '../../../../runtime/src/compose.ts'
import { createLookupTable } from '../lookups/all.ts'

const KEYS = 'conf/keys.json'
const files = { 'src/a.ts': 'export const one = 1\n', [KEYS]: '{\n  "db": "canary-before"\n}\n' }
const deltas = [{ op: 'setValue', target: 'key:db', value: 'canary-after' }]

/** Ann has planned in a file that is not Bob's. */
async function openPlanned(): Promise<{ readonly it: ArtifactStage; readonly planned: Planned }> {
  const it = await openStage({ files, agents: { ann: ['*'], bob: ['src/*'] } })
  const changes = [{ artifact: KEYS, deltas }]
  const symbols = [`${KEYS} key:db`]
  const planned = toPlanned(await it.propose('ann', 'artifact.plan', { symbols, changes }))
  return { it, planned }
}

async function show(it: ArtifactStage, dfid: string, own: string | null): Promise<string> {
  const { sha256 } = nodeCrypto
  const { getFlow } = createLookupTable({ store: it.runtime.store, sha256, clock: systemClock })
  const reply = await getFlow({ asker: 'bob', own, params: { dfid }, query: {} })
  assert.equal(reply.status, 200)
  return String(reply.body)
}

test('who names a plan of another is not shown its lines in the flow that was refused', async () => {
  const { it, planned } = await openPlanned()
  const { plan, symbols } = planned
  const asked: readonly (readonly [string, JsonObject])[] = [
    ['artifact.withdraw', { plan, symbols: ['src/a.ts'] }],
    ['artifact.apply', { plan, symbols: ['src/a.ts'] }],
    ['artifact.apply', { plan, symbols }],
  ]
  for (const [policy_kind, params] of asked) {
    const flow = await it.open('bob')
    const answer = await flow.propose({ policy_kind, params })
    assert.equal(answer.outcome, 'REJECTED')
    assert.ok(!(await show(it, flow.dfid, 'bob')).includes('canary'), policy_kind)
    assert.ok(
      (await show(it, flow.dfid, null)).includes('canary'),
      'people see what it was judged on',
    )
  }
  await it.close()
})

test('who names an artifact outside of its scope hears of no plan and no hash in it', async () => {
  const { it, planned } = await openPlanned()
  const hash = String((await it.world('artifact', KEYS))?.content_hash)
  const flow = await it.open('bob')
  const params = { symbols: [KEYS], changes: [{ artifact: KEYS, deltas }] }
  const answer = await flow.propose({ policy_kind: 'artifact.plan', params })
  assert.equal(answer.reason_code, 'RESOURCE_SCOPE')
  const text = await show(it, flow.dfid, 'bob')
  assert.deepEqual([text.includes(planned.plan), text.includes(hash)], [false, false])
  assert.ok(text.includes(KEYS), 'what it proposed is its own')
  await it.close()
})
