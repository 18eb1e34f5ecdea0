/** Two engines on one database, each asked by a gateway of its own. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { createEmptyDatabase, describeWithServer } from '../../adapters/postgres/testing.ts'
import { createRuntime, type Runtime } from '../../compose.ts'
import { CONTRACT, exampleCapability } from '../../evidence/example.test-support.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import type { CallNames } from '../flow/call-claims.ts'
import type { ActedOnce } from './act-once.ts'

const ROUNDS = 4

describeWithServer('calls on Postgres', () => {
  it('of calls that reach two engines at once one is carried out, and the other answers with it', async (t) => {
    const sent: unknown[] = []
    const place = {
      store: await createEmptyDatabase(),
      stateDirectory: join(temporaryFolder(), 'state'),
      capabilities: [
        {
          ...exampleCapability(() => {}),
          execute({ params }: { readonly params: { readonly order?: unknown } }) {
            sent.push(params.order)
            return { result: 'done' }
          },
        },
      ],
      report: () => {},
    }
    const open = async (): Promise<Runtime> => {
      const runtime = await createRuntime(place)
      t.after(() => runtime.close())
      await runtime.start()
      return runtime
    }
    const engines = [await open(), await open()]
    await engines[0]?.deploy({ ...CONTRACT })
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
