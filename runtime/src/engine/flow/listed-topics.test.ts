import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Authority,
  type DeployedContract,
  hashContract,
  NO_AUTHORITY,
  NOBODY,
  parseContract,
} from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { listTopics } from './listed-topics.ts'

const NOW = '2026-03-02T10:00:00.000Z'
const AGENTS = 300

/** Each hears of a topic of its own. */
function deploy(seq: number): readonly [string, readonly DeployedContract[]] {
  const agent_id = `bot-${String(seq).padStart(4, '0')}`
  const permissions = { policy_kinds: ['REFUND'], subscriptions: [{ topic: `of.${agent_id}` }] }
  const parsed = parseContract({ ...CONTRACT, agent_id, permissions })
  assert.ok(parsed.ok, JSON.stringify(parsed))
  const hash = hashContract(parsed.value, sha256)
  const persons = { owner: NOBODY, approvers: [] }
  return [agent_id, [{ contract: parsed.value, hash, seq, revoked: false, persons }]]
}

function deployAll(): Authority {
  const contracts = new Map(Array.from({ length: AGENTS }, (_, seq) => deploy(seq)))
  const statuses = new Map([...contracts.keys()].map((agent) => [agent, 'ACTIVE'] as const))
  return { ...NO_AUTHORITY, seq: AGENTS, contracts, statuses }
}

test('a list of the topics of many agents does not keep the thread that decides', async () => {
  let pauses = 0
  const pause = async (): Promise<void> => {
    pauses += 1
  }
  const listed = await listTopics(deployAll(), NOW, { from: 298, limit: 10 }, pause)
  assert.ok(pauses >= AGENTS, `${pauses} pauses`)
  assert.deepEqual(
    listed.map(({ topic, listening }) => [topic, listening]),
    [
      ['of.bot-0298', 1],
      ['of.bot-0299', 1],
    ],
  )
})
