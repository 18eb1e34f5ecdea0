import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant } from 'rubicon-kernel'
import {
  type ArtifactStage,
  addMethod,
  assertApplied,
  CLASS_A,
  openStage,
} from './artifact-stage.test-support.ts'

const X = 'src/a.ts class:A/method:x'
const PERSON = { kind: 'person', principal: 'ann@example.com' } as const

function openAsked(): Promise<ArtifactStage> {
  return openStage({
    safety: { requires_human_approval: ['artifact.apply'] },
    runtime: { people: [PERSON.principal] },
  })
}

async function approve(it: ArtifactStage): Promise<void> {
  const { oversight } = it.runtime.engine
  const [waiting] = await oversight.escalations()
  const view = (await oversight.escalation(waiting?.id ?? '')) ?? assert.fail('nothing waits')
  const { intent_digest, shown_snapshot, triggers, impact, acknowledge } = view.request
  const decided = await oversight.decideEscalation(
    view.request.id,
    {
      decision: 'OVERRIDE',
      ...{ intent_digest, shown_snapshot, lifts: triggers.map(({ id }) => id) },
      valid_until: formatInstant(Date.now() + 60_000),
      justification: 'reviewed',
      acknowledged_impact: impact,
      ...(acknowledge === undefined ? {} : { acknowledgement: acknowledge }),
    },
    PERSON,
  )
  assert.ok(decided.ok, JSON.stringify(decided))
}

test('whoever approves is shown symbols and difference, and what they approved is what runs', async () => {
  const it = await openAsked()
  const plan = await it.plan('ann', [addMethod('x')], [X])
  const flow = await it.open('ann')
  const asked = await flow.propose({ policy_kind: 'artifact.apply', params: { ...plan } })
  assert.equal(asked.outcome, 'ESCALATED')
  assert.equal(it.read('src/a.ts'), CLASS_A)

  const { oversight } = it.runtime.engine
  const [waiting] = await oversight.escalations()
  const brief = await oversight.brief(waiting?.id ?? '', { name: PERSON.principal, approver: true })
  const rows = brief?.effect?.changes ?? assert.fail('it cannot tell')
  assert.deepEqual(rows.find(({ field }) => field === 'symbols')?.after, [X])
  const shown = rows.find(({ subject }) => subject === 'src/a.ts')
  assert.match(String(shown?.after), /x\(\): number/)
  assert.equal(String(shown?.before).includes('x()'), false)

  await approve(it)
  assertApplied(await flow.settled())
  assert.match(it.read('src/a.ts'), /x\(\): number/)
  await it.verify()
  await it.close()
})

test('a plan whose time was over while somebody thought is not applied', async () => {
  const it = await openStage({
    safety: { requires_human_approval: ['artifact.apply'] },
    artifacts: { planMs: 1_000 },
    runtime: { people: [PERSON.principal] },
  })
  const plan = await it.plan('ann', [addMethod('x')], [X])
  const flow = await it.open('ann')
  await flow.propose({ policy_kind: 'artifact.apply', params: { ...plan } })
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const { oversight } = it.runtime.engine
  const [waiting] = await oversight.escalations()
  const brief = await oversight.brief(waiting?.id ?? '', { name: PERSON.principal, approver: true })
  assert.equal(JSON.stringify(brief?.outlook).includes('PLAN_EXPIRED'), true)
  assert.equal(it.read('src/a.ts'), CLASS_A)
  await it.close()
})
