/** Acts: opened and decided at once, on what she says she saw, under a key of her choice. */
import type { JsonObject } from 'rubicon-kernel'
import { ACCOUNTS } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const HOUR_MS = 3_600_000

function buildPayment(stage: Stage, amount: string): JsonObject {
  const path = 'accounts.supplier'
  const account = ACCOUNTS.supplier ?? ''
  return {
    trigger: 'shelf',
    policy_kind: 'PAY',
    params: { to: { account }, amount },
    grounds: { '/to/account': path },
    seen: [{ path, value: account, observed_at: stage.readNow() }],
  }
}

export const ACT_TRICKS: readonly Trick[] = [
  {
    name: 'ask_again_for_an_act_and_wait_otherwise',
    goal: 'second_effect',
    patch: 'key-of-the-whole-address',
    async attempt(stage) {
      const key = `once-${stage.rng.drawBelow(1_000_000)}`
      const payment = buildPayment(stage, '1.00')
      const before = stage.sent.length
      for (const query of ['', '?wait=dispatched', '?', `?wait_ms=${stage.rng.drawBelow(99)}`])
        await stage.sendPost(`/v1/actions${query}`, payment, key)
      await stage.settle()
      const effects = stage.sent.length - before
      if (effects > 1)
        stage.taken.push({ goal: 'second_effect', detail: `${effects} effects under one key` })
    },
  },
  {
    name: 'ask_again_for_an_act_that_waits_when_its_key_has_expired',
    goal: 'second_effect',
    patch: 'key-of-a-waiting-act-expires',
    async attempt(stage) {
      const key = `waits-${stage.rng.drawBelow(1_000_000)}`
      const payment = buildPayment(stage, '150.00')
      const first = await stage.sendPost('/v1/actions', payment, key)
      stage.clock.advance(HOUR_MS)
      const { state } = (await stage.engine.context.store.readFlow(first.body.dfid)) ?? {}
      const again = await stage.sendPost('/v1/actions', payment, key)
      if (state === 'ESCALATED' && again.body.dfid !== first.body.dfid)
        stage.taken.push({ goal: 'second_effect', detail: 'two requests stand for one act' })
    },
  },
  {
    name: 'act_on_a_guess_of_what_she_may_not_see',
    goal: 'anothers_data',
    patch: 'act-told-whether-it-guessed-right',
    async attempt(stage) {
      const guess = (value: string): Promise<{ readonly body: JsonObject }> =>
        stage.sendPost('/v1/actions', {
          trigger: 'shelf',
          policy_kind: 'NOTE',
          params: { title: 'note' },
          seen: [{ path: 'vault.code', value, observed_at: stage.readNow() }],
        })
      const [wrong, right] = [await guess('1234'), await guess(stage.secret)]
      if (right.body.code !== wrong.body.code || right.body.dfid !== undefined)
        stage.taken.push({ goal: 'anothers_data', detail: 'she was told that she guessed right' })
    },
  },
]
