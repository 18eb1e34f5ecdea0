/** What agents and outsiders write reaches nobody through a notice, whatever the notice is about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import type { Capability } from '../../ports/capability.ts'
import type { Notice } from '../../ports/notifier.ts'
import type { SoftGuard } from '../../ports/soft-guard.ts'
import { AGENT, type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'

/** A secret that looks like an id, a person, and a sentence. */
const CANARIES = ['sk_live_CANARY', 'canary.person@example.com', 'my canary number is 4711']
const [SECRET = '', PERSON = '', SENTENCE = ''] = CANARIES
const PRICE = `price.${SECRET}`

/** Refunds that nobody can say the outcome of, where the order asks for it. */
const refunds: Capability = {
  ...exampleCapability(() => {}),
  jit_fields: ['price'],
  jit: () => ({ price: { path: PRICE, kind: 'telemetry' } }),
  execute({ params }) {
    if (params.amount === '66.00') throw new Error(`${SENTENCE} ${PERSON}`)
    return { result: { note: SENTENCE, by: PERSON, key: SECRET } }
  },
}

const suspicious: SoftGuard = {
  name: 'story',
  check: async ({ justification }) => ({ mismatch: true, why: `${justification} ${PERSON}` }),
}

type Canary = { readonly stage: FlowStage; readonly got: Notice[]; price: string }

async function canary(): Promise<Canary> {
  const got: Notice[] = []
  const held = { price: '100' }
  const channel = { name: 'test', send: async (notice: Notice) => void got.push(notice) }
  const stage = await flowStage({
    capabilities: [refunds],
    softGuards: [suspicious],
    notifiers: { operator: channel, ops: channel },
    sources: [
      {
        source_id: 'exchange',
        label: 'trusted',
        paths: ['*'],
        async read(paths) {
          const observed_at = new Date(stage.clock.now()).toISOString()
          return paths.map((path) => ({ path, value: held.price, observed_at, version: '1' }))
        },
      },
    ],
  })
  await stage.deploy({
    owner: PERSON,
    mission: SENTENCE,
    permissions: {
      policy_kinds: ['REFUND'],
      limits: [
        { id: 'alone', kind: 'range', measure: 'amount', max: '100.00', on_breach: 'escalate' },
        { id: 'ever', kind: 'range', measure: 'amount', max: '500.00' },
      ],
    },
    jit_verification: { on_drift_exceeded: { action: 'ABORT', notify: ['ops'] } },
    safety_rules: { suspend_after_rejections: { count: 1, window_s: 60 } },
  })
  return Object.assign(held, { stage, got })
}

function open({ stage }: Canary): Promise<Flow> {
  const trigger = `${SENTENCE} ${SECRET} ${PERSON}`
  return stage.runtime().open({ agent: AGENT, trigger, state: [PRICE], steps: 'many' })
}

async function propose(flow: Flow, amount: string): Promise<void> {
  await flow.propose({
    policy_kind: 'REFUND',
    step_id: SECRET,
    params: { order: `${PERSON} ${SENTENCE} ${SECRET}`, amount },
    justification: `${SENTENCE} ${SECRET} ${PERSON}`,
  })
}

test('no canary leaves by a notice', async () => {
  const place = await canary()
  const { stage, got } = place
  await propose(await open(place), '20.00')
  await stage.engine().context.advisers.guards.awaitSettled()
  await propose(await open(place), '200.00')
  const drifting = await open(place)
  place.price = '200'
  await propose(drifting, '20.00')
  await propose(await open(place), '66.00')
  // Nobody answers, neither the person nor the provider, until both are given up.
  await stage.clock.advance(LIMITS.approvalWindowMs.usual)
  for (let round = 0; round < 20; round++) {
    await stage.engine().runDue()
    await stage.engine().reconcile()
    await stage.clock.advance(LIMITS.backoffMaxMs)
  }
  await propose(await open(place), '501.00')
  const { notices } = stage.engine().context.advisers
  while ((await notices.round()) > 0) await notices.awaitSettled()
  const kinds = [...new Set(got.map(({ kind }) => kind))].toSorted()
  assert.deepEqual(kinds, [
    'drift',
    'escalation',
    'expiry',
    'manual_review',
    'needs_review',
    'suspension',
  ])
  const text = JSON.stringify(got)
  for (const word of [...CANARIES, 'canary', 'CANARY'])
    assert.ok(!text.includes(word), `\`${word}\` in ${text}`)
  await stage.close()
})
