/** What the hands of a capability are given to act on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Capability, EffectIo } from '../../ports/capability.ts'
import { AGENT, type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'

type Seen = { readonly where: string; readonly version: number | undefined }

const versionOf = ({ world }: EffectIo): number | undefined => world('till', 'main')?.version

/** Writes down what is in the till, if nobody did since it was looked at. */
function count(seen: Seen[], more: Partial<Capability> = {}): Capability {
  return {
    kind: 'COUNT',
    effect: 'put_if_match',
    risk: 'low',
    reversible: true,
    worldOnly: true,
    params: {
      type: 'object',
      properties: { amount: { type: 'string' } },
      required: ['amount'],
      additionalProperties: false,
    },
    reads: () => ({ world: [{ kind: 'till', id: 'main' }] }),
    execute({ params }, io) {
      const version = versionOf(io)
      seen.push({ where: 'execute', version })
      const value = params.amount ?? null
      const at = { kind: 'till', id: 'main' } as const
      if (version === undefined) return { delta: [{ op: 'create', ...at, value }] }
      return { delta: [{ op: 'replace', ...at, value, expected_version: version }] }
    },
    ...more,
  }
}

async function counting(
  seen: Seen[],
  more: Partial<Capability> = {},
  executors: 'inline' | 'separate' = 'inline',
): Promise<FlowStage> {
  const stage = await flowStage({ capabilities: [count(seen, more)], executors })
  await stage.deploy({ permissions: { policy_kinds: ['COUNT'] } })
  return stage
}

async function propose(stage: FlowStage, amount: string): Promise<string> {
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'count' })
  const answer = await flow.propose({ policy_kind: 'COUNT', params: { amount } })
  return answer.execution?.status ?? answer.reason_code ?? answer.outcome
}

for (const executors of ['inline', 'separate'] as const)
  test(`finding 22a: ${executors}: what acts on World is not kept from its versions`, async () => {
    const seen: Seen[] = []
    const stage = await counting(seen, {}, executors)
    for (const amount of ['1', '2', '3']) assert.equal(await propose(stage, amount), 'SUCCESS')
    assert.deepEqual(
      seen.map(({ version }) => version),
      [undefined, 1, 2],
    )
    const [till] = await stage.runtime().store.readResources('main', [{ kind: 'till', id: 'main' }])
    assert.equal(till?.value, '3')
    await stage.close()
  })

test('finding 22a: a probe sees World as it is, and what it did not ask for nobody sees', async () => {
  const seen: Seen[] = []
  let others: unknown = 'not asked'
  const example = count(seen)
  const stage = await counting(seen, {
    execute(intent, io) {
      if (intent.params.amount !== '2') return example.execute(intent, io)
      others = io.world('till', 'other')
      throw new Error('connection reset')
    },
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 60,
      ask(_, io) {
        seen.push({ where: 'probe', version: versionOf(io) })
        return { finding: 'applied', effect: {} }
      },
    },
  })
  assert.equal(await propose(stage, '1'), 'SUCCESS')
  assert.equal(await propose(stage, '2'), 'UNKNOWN')
  assert.equal(others, undefined)
  await stage.clock.advance(5_000)
  await stage.engine().reconcile()
  assert.deepEqual(seen.at(-1), { where: 'probe', version: 1 })
  await stage.close()
})

test('finding 22b: a crash after the rejection of another mission does not leave the agent active', async () => {
  const stage = await flowStage()
  await stage.deploy()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const { context } = stage.engine()
  const { store } = context
  const commit = store.commit.bind(store)
  let rejected = false
  store.commit = async (unit) => {
    // The process ends with the unit that rejects.
    if (rejected) throw new Error('killed')
    rejected = unit.writes.some((write) => write.kind === 'append' && write.entry === 'rejection')
    return commit(unit)
  }
  const mission_context_hash = `sha256:${'0'.repeat(64)}`
  const params = { order: 'o-1', amount: '1.00' }
  await flow.propose({ policy_kind: 'REFUND', params, mission_context_hash }).catch(() => {})
  assert.ok(rejected)
  store.commit = commit
  await stage.restart()
  const { statuses } = await stage.engine().context.authorities.loadLatest()
  assert.equal(statuses.get(AGENT), 'SUSPENDED')
  await stage.close()
})
