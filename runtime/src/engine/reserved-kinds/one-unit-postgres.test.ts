/** Where entries get their places later, what stands in one unit keeps its order, authority included. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AUTHORITY, formatInstant } from 'rubicon-kernel'
import { createEmptyDatabase, describeWithServer } from '../../adapters/postgres/testing.ts'
import { sagaStage, TRADER } from '../compensate/saga-stage.test-support.ts'

const KINDS = ['SPAWN_CHILD', 'SPAWN_INSTANCE']

describeWithServer('reserved kinds in one unit', () => {
  it('a retirement stands between its dispatch and its outcome, and the ledger verifies', async () => {
    const store = await createEmptyDatabase()
    const stage = await sagaStage({ store, desk: { permissions: { policy_kinds: KINDS } } })
    const [flow, desk] = [await stage.trade(), await stage.desk()]
    const until = { at: formatInstant(stage.clock.now() + 3_600_000) }
    const params = { class: TRADER, instance_id: 'trader-1', until }
    for (const answer of [
      await desk.spawn({ agent: TRADER, trigger: 'one leg' }),
      await desk.propose({ policy_kind: 'SPAWN_INSTANCE', step_id: 'instance', params }),
      await desk.escalate('help'),
      await flow.requestRetire('enough'),
    ])
      assert.equal(answer.execution?.status, 'SUCCESS')
    // Signs the tree, for which every entry has to have its place.
    await stage.engine().checkpoint()
    const leaves = await stage.runtime().store.listLeaves(0, 1000)
    const kinds = leaves.map(({ envelope: { kind, trajectory } }) => {
      return trajectory === AUTHORITY ? `authority ${kind}` : kind
    })
    assert.deepEqual(kinds.slice(-3), ['dispatch', 'authority lifecycle', 'commit'])
    const made = kinds.indexOf('authority contract', kinds.indexOf('dispatch'))
    assert.deepEqual(kinds.slice(made - 1, made + 4), [
      'dispatch',
      'authority contract',
      'authority lifecycle',
      'authority lifecycle',
      'commit',
    ])
    await stage.close()
  })
})
