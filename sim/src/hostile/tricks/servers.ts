/** Two servers on one store: what the one has taken, the other must not take again. */
import { randomUUID } from 'node:crypto'
import {
  requestSigner,
  signHandshakeBody,
} from '../../../../server/src/http/agent-auth/agent-key.ts'
import { ask, type HttpAnswer } from '../../../../server/src/http/agent-auth/client.ts'
import { useSecondServer } from '../second-server.ts'
import { VICTIM } from '../shop.ts'
import type { Trick } from '../trick.ts'

const SECOND_MS = 1_000

export const SERVER_TRICKS: readonly Trick[] = [
  {
    name: 'send_a_captured_handshake_to_another_server',
    goal: 'anothers_flow',
    patch: 'handshakes-remembered-by-one-process',
    async attempt(stage) {
      const { engine, wire } = stage
      const body = await signHandshakeBody(engine, VICTIM, await wire.getKey(VICTIM))
      await ask({ url: wire.url }, 'POST', '/v1/agents/handshake', { body })
      await useSecondServer(stage, {}, async ({ url }) => {
        const answer = await ask({ url }, 'POST', '/v1/agents/handshake', { body })
        stage.hear(answer.body)
        if (answer.status === 200)
          stage.taken.push({ goal: 'anothers_flow', detail: 'a session of the victim elsewhere' })
      })
    },
  },
  {
    name: 'send_a_captured_request_to_a_server_that_starts_later',
    goal: 'anothers_data',
    patch: 'requests-from-before-the-start-count',
    async attempt(stage) {
      const { engine, wire } = stage
      const path = `/v1/flows/${stage.victims.dfid}`
      const token = await wire.getLiveSession(VICTIM)
      const authorization = `Bearer ${token}`
      const sign = requestSigner(engine, await wire.getKey(VICTIM))
      const bytes = new Uint8Array(0)
      // The headers of the victim's own request, seen on its way.
      const headers = await sign({ method: 'GET', target: path, authorization, bytes })
      await ask({ url: wire.url, token }, 'GET', path, { headers })
      stage.clock.advance(SECOND_MS)
      await useSecondServer(stage, {}, async ({ url }) => {
        stage.hear((await ask({ url, token }, 'GET', path, { headers })).body)
      })
    },
  },
  {
    name: 'send_a_captured_request_to_another_server_under_another_key',
    goal: 'anothers_flow',
    patch: 'requests-signed-without-their-key',
    async attempt(stage) {
      const { engine, wire } = stage
      const [target, body] = ['/v1/flows', { trigger: 'the shelf is empty' }]
      const token = await wire.getLiveSession(VICTIM)
      const sign = requestSigner(engine, await wire.getKey(VICTIM))
      const authorization = `Bearer ${token}`
      const bytes = Buffer.from(JSON.stringify(body))
      const key = randomUUID()
      await useSecondServer(stage, {}, async ({ url }) => {
        const proof = await sign({ method: 'POST', target, authorization, bytes, key })
        const send = (to: string, key: string): Promise<HttpAnswer> =>
          ask({ url: to, token }, 'POST', target, {
            body,
            headers: { ...proof, 'idempotency-key': key },
          })
        await send(wire.url, key)
        const answer = await send(url, randomUUID())
        stage.hear(answer.body)
        if (answer.status === 201)
          stage.taken.push({
            goal: 'anothers_flow',
            detail: 'what the victim asked for, once more',
          })
      })
    },
  },
]
