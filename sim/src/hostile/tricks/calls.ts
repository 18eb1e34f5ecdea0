/** Calls that are made twice: at once, under new names, or when what they had asked for is over. */
import type { JsonObject } from 'rubicon-kernel'
import type { HttpAnswer } from '../../../../server/src/http/agent-auth/client.ts'
import { ACCOUNTS } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'second_effect'
const AT_ONCE = 4

function buildCall(stage: Stage, amount: string, once: JsonObject): JsonObject {
  const path = 'accounts.supplier'
  const account = ACCOUNTS.supplier ?? ''
  return {
    ...{ trigger: 'shelf', policy_kind: 'PAY', params: { to: { account }, amount } },
    grounds: { '/to/account': path },
    seen: [{ path, value: account, observed_at: stage.readNow() }],
    once,
  }
}

/** A refusal carries its answer. */
function readDfid({ body }: HttpAnswer): unknown {
  return body.dfid ?? body.answer?.dfid
}

export const CALL_TRICKS: readonly Trick[] = [
  {
    name: 'make_one_call_several_times_at_once',
    goal,
    patch: 'call-left-unnamed',
    async attempt(stage) {
      const id = `${stage.rng.drawBelow(1_000_000)}`
      const call = buildCall(stage, '1.00', { call: { conversation: 'desk', id } })
      const before = stage.sent.length
      const calls = Array.from({ length: AT_ONCE }, () => stage.sendPost('/v1/actions', call))
      await Promise.all(calls)
      await stage.settle()
      const effects = stage.sent.length - before
      if (effects > 1) stage.taken.push({ goal, detail: `${effects} effects of one call` })
    },
  },
  {
    name: 'resume_a_call_and_make_it_again_when_it_is_over',
    goal,
    patch: 'call-repeated-unnamed',
    async attempt(stage) {
      const key = `k-${stage.rng.drawBelow(1_000_000)}`
      const first = await stage.sendPost('/v1/actions', buildCall(stage, '150.00', {}))
      const dfid = readDfid(first)
      const resumed = await stage.sendPost('/v1/actions', buildCall(stage, '150.00', { key }))
      if (typeof dfid !== 'string' || readDfid(resumed) !== dfid) return
      await stage.sendPost(`/v1/flows/${dfid}/cancellation`, { reason: 'it is taking too long' })
      const again = await stage.sendPost('/v1/actions', buildCall(stage, '150.00', { key }))
      if (readDfid(again) !== dfid)
        stage.taken.push({ goal, detail: 'two requests stand for one call' })
    },
  },
]
