import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { addMethod, findRefusal, openStage, type Planned } from './artifact-stage.test-support.ts'

test('an agent that plans and applies nothing does not take the file from all others', async () => {
  const it = await openStage({ agents: { ann: ['*'], cy: ['src/a.ts class:A/*'] } })
  const plan = (agent: string, name: string) =>
    it.plan(agent, [addMethod(name)], [`src/a.ts class:A/method:${name}`])
  const kept: Planned[] = []
  for (let at = 0; at < HANDS_LIMITS.plansOfOne; at += 1) kept.push(await plan('cy', `x${at}`))
  const changes = [{ artifact: 'src/a.ts', deltas: [addMethod('more')] }]
  const symbols = ['src/a.ts class:A/method:more']
  const refused = await it.propose('cy', 'artifact.plan', { changes, symbols })
  assert.equal(findRefusal(refused), 'PLAN_TOO_LARGE')
  await plan('ann', 'y')
  const [first = assert.fail('it has plans')] = kept
  await it.propose('cy', 'artifact.withdraw', { ...first })
  await plan('cy', 'more')
  await it.close()
})
