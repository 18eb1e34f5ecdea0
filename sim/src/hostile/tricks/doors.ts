/** Before the door: what somebody else signed, what refusals tell, and what they leave behind. */
import { randomUUID } from 'node:crypto'
import { signHandshakeBody } from '../../../../server/src/http/agent-auth/agent-key.ts'
import { ask, type HttpAnswer } from '../../../../server/src/http/agent-auth/client.ts'
import { MALLORY, TRUDY, VICTIM } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const COPIES = 3
const REFUSED = 40

/** Without a session, as anybody. */
async function requestHandshake(stage: Stage, body: object): Promise<HttpAnswer> {
  const answer = await ask({ url: stage.wire.url }, 'POST', '/v1/agents/handshake', { body })
  stage.hear(answer.body)
  return answer
}

async function move(
  { engine }: Stage,
  agent_id: string,
  to: 'ACTIVE' | 'SUSPENDED',
): Promise<void> {
  const justification = 'looked at it'
  await engine.moveAgent({ agent_id, to, actor: 'operator', justification })
}

async function countKeptReplies({ runtime }: Stage): Promise<number> {
  const limit = 1_000
  return (await runtime.store.listRecords('http_reply', `agent ${MALLORY}`, { limit })).length
}

export const DOOR_TRICKS: readonly Trick[] = [
  {
    name: 'send_a_captured_handshake_again',
    goal: 'anothers_flow',
    patch: 'handshake-counts-again',
    async attempt(stage) {
      const { engine, wire } = stage
      // The victim's own, seen on its way.
      const captured = await signHandshakeBody(engine, VICTIM, await wire.getKey(VICTIM))
      await requestHandshake(stage, captured)
      for (let copy = 0; copy < COPIES; copy++) {
        const { status } = await requestHandshake(stage, captured)
        if (status === 200)
          stage.taken.push({ goal: 'anothers_flow', detail: 'a session of the victim' })
      }
    },
  },
  {
    name: 'find_out_who_is_stopped',
    goal: 'anothers_data',
    patch: 'handshake-states-told',
    async attempt(stage) {
      const { key_id } = await stage.wire.getKey(MALLORY)
      const signed_at = new Date(stage.clock.now()).toISOString()
      const sig = Buffer.from(new Uint8Array(64)).toString('base64')
      const key = { key_id, signed_at, nonce: 'x'.repeat(16), sig }
      await move(stage, TRUDY, 'SUSPENDED')
      const said = new Set<string>()
      for (const agent of [TRUDY, VICTIM, 'nobody']) {
        const { status, body } = await requestHandshake(stage, { agent, key })
        said.add(JSON.stringify([status, body]))
      }
      await move(stage, TRUDY, 'ACTIVE')
      if (said.size > 1)
        stage.taken.push({ goal: 'anothers_data', detail: 'refusals tell agents apart' })
    },
  },
  {
    name: 'fill_the_store_with_refusals',
    goal: 'unbounded_record',
    patch: 'refusals-kept',
    async attempt(stage) {
      const before = await countKeptReplies(stage)
      // Nothing is there to be closed; what opens a flow claims its key with what it opens.
      for (let i = 0; i < REFUSED; i++)
        await stage.sendPost(`/v1/flows/${randomUUID()}/closure`, {})
      const kept = (await countKeptReplies(stage)) - before
      if (kept > REFUSED / 2)
        stage.taken.push({ goal: 'unbounded_record', detail: `${kept} refusals are kept` })
    },
  },
]
