/** What the contract of an agent says that it works on, and what it is shown. */
import type { Contract } from 'rubicon-kernel'
import { buildShopContract, TRUDY } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const OPERATOR = 'opal@example.com'
const STATE = ['market.price.ETH-USD']
/** Nobody has ever said it. */
const UNKNOWN = 'market.halted'

/** While her contract declares what she is shown. */
async function runWhileDeclared(
  stage: Stage,
  working_context: NonNullable<Contract['working_context']>,
  work: () => Promise<void>,
): Promise<void> {
  const buildNextContract = (): Contract =>
    buildShopContract(TRUDY, `1.0.${stage.advanceVersion()}`)
  await stage.runtime.deploy({ ...buildNextContract(), working_context })
  await work()
  await stage.runtime.deploy(buildNextContract())
}

export const CONTEXT_TRICKS: readonly Trick[] = [
  {
    name: 'work_without_what_the_contract_requires',
    goal: 'effect_outside_contract',
    patch: 'required-state-not-looked-for',
    attempt: (stage) =>
      runWhileDeclared(stage, { layers: ['state'], requires: [UNKNOWN], limits: {} }, async () => {
        const asked = { trigger: 'shelf', state: STATE }
        const opened = await stage.wire.sendAs(TRUDY, 'POST', '/v1/flows', asked)
        if (opened.status !== 201) return
        const { dfid } = opened.body
        stage.over.add(dfid)
        await stage.wire.sendAs(TRUDY, 'POST', `/v1/flows/${dfid}/proposals`, {
          policy_kind: 'BUY',
          params: { instrument: 'ETH-USD', quantity: '1' },
        })
      }),
  },
  {
    name: 'be_shown_a_layer_that_the_contract_leaves_out',
    goal: 'anothers_data',
    patch: 'undeclared-layers-shown',
    async attempt(stage) {
      const path = '/v1/artifacts/shelves'
      const text = `shelves shelves shelves: ${stage.secret}`
      await stage.wire.sendAsPerson(OPERATOR, 'PUT', path, { title: 'Shelves', text })
      await runWhileDeclared(stage, { layers: ['state'], requires: [], limits: {} }, async () => {
        const asked = { trigger: 'shelves', state: STATE }
        stage.hear((await stage.wire.sendAs(TRUDY, 'POST', '/v1/flows', asked)).body)
      })
      await stage.wire.sendAsPerson(OPERATOR, 'DELETE', path)
    },
  },
]
