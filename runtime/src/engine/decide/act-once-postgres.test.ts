/** Two engines on one database, each asked by a gateway of its own. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeWithServer } from '../../adapters/postgres/testing.ts'
import type { Runtime } from '../../compose.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import type { CallNames } from '../flow/call-claims.ts'
import { openTwoEngines } from '../flow/two-engines.test-support.ts'
import type { ActedOnce } from './act-once.ts'

const ROUNDS = 4

describeWithServer('calls on Postgres', () => {
  it('of calls that reach two engines at once one is carried out, and the other answers with it', async (t) => {
    const { engines, sent } = await openTwoEngines(t)
    await engines[0].deploy({ ...CONTRACT })
    const names: readonly CallNames[] = [{}, { key: 'k' }, { call: { conversation: 'c', id: '1' } }]
    for (let round = 0; round < ROUNDS; round++) {
      const order = `o-${round}`
      const ask = (runtime: Runtime, one: CallNames): Promise<ActedOnce> =>
        runtime.actOnce(
          {
            agent: 'refunds_bot',
            trigger: 'ticket',
            policy_kind: 'REFUND',
            params: { order, amount: '20.00' },
          },
          one.key === undefined ? one : { key: order },
        )
      const calls = engines.flatMap((runtime) =>
        names.map((one) => ask(runtime, nameIn(one, round))),
      )
      const all = await Promise.all(calls)
      const flows = new Set(all.map(({ answer }) => answer.dfid))
      assert.equal(flows.size, 1, `round ${round}`)
      assert.equal(all.filter(({ repeated }) => !repeated).length, 1)
    }
    assert.deepEqual(
      sent,
      Array.from({ length: ROUNDS }, (_, round) => `o-${round}`),
    )
  })
})

function nameIn({ call, ...names }: CallNames, round: number): CallNames {
  return call === undefined ? names : { ...names, call: { ...call, id: `${round}` } }
}
