/** Whoever answers in place of the runtime, and whoever asks about the flow of somebody else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AgentError, type AgentFlow, connectAgent } from 'rubicon-agents'
import { createScriptedProvider } from '../../../runtime/src/compose.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { AGENT, served } from '../../../server/src/http/served.test-support.ts'
import { LEAD, stage, testBoth } from './connected.test-support.ts'

const REFUND = { policy_kind: 'REFUND', params: { order: 'o_1', amount: '20.00' } }

type Answered = { dfid?: string; agent_id?: string; context?: Answered; answer?: Answered }

/** Between agent and runtime: changes what is answered, where `change` is set. */
function createLyingFetch(): {
  readonly fetch: typeof fetch
  readonly sent: string[]
  change: ((answered: Answered) => void) | null
} {
  const it = {
    sent: [] as string[],
    change: null as ((answered: Answered) => void) | null,
    async fetch(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
      it.sent.push(`${init?.method} ${new URL(String(input)).pathname}`)
      const response = await fetch(input, init)
      if (it.change === null || !response.ok) return response
      const answered = (await response.json()) as Answered
      it.change(answered)
      return Response.json(answered, { status: response.status })
    },
  }
  return it
}

test('an agent takes no context of another flow or of another agent for its own, and no verdict', async (t) => {
  const it = await served(t)
  const liar = createLyingFetch()
  const key = await it.key(AGENT)
  const agent = await connectAgent({ url: it.server.url, agent: AGENT, key, fetch: liar.fetch })
  t.after(() => agent.close())
  const other = await agent.open({ trigger: 'another ticket' })
  const flow: AgentFlow = await agent.open({ trigger: 'ticket' })

  const refuse = async (
    asking: () => Promise<unknown>,
    change: (answered: Answered) => void,
  ): Promise<void> => {
    liar.change = change
    const error = await asking().catch((thrown: unknown) => thrown)
    liar.change = null
    assert.ok(error instanceof AgentError, String(error))
    assert.equal(error.code, 'ANSWER_UNREADABLE')
  }
  const toOther = (answered: Answered): void => {
    answered.dfid = other.dfid
  }
  await refuse(
    () => agent.open({ trigger: 'x' }),
    ({ context }) => context !== undefined && toOther(context),
  )
  await refuse(
    () => agent.open({ trigger: 'x' }),
    ({ context }) => {
      if (context !== undefined) context.agent_id = 'somebody_else'
    },
  )
  await refuse(() => flow.refresh(), toOther)
  await refuse(() => agent.resume(flow.dfid), toOther)
  assert.equal(flow.context.dfid, flow.dfid, 'what it was shown before stands')
  assert.ok(!liar.sent.some((one) => one.endsWith('/proposals')))
  await refuse(() => flow.propose(REFUND), toOther)
  await refuse(
    () => flow.settled(),
    ({ answer }) => answer !== undefined && toOther(answer),
  )
  assert.equal((await flow.settled()).dfid, flow.dfid)
})

testBoth(
  'nobody asks a model in the flow of another agent, waits for it or goes on with it',
  async (t, way) => {
    let asked = 0
    const acme = createScriptedProvider({
      script: () => {
        asked += 1
        return 'yes'
      },
    })
    const it = await stage(t, way, { models: { acme } })
    await it.runtime.deploy(buildContract('stranger', ['REFUND']))
    const own = await it.connect()
    const stranger = await it.connect('stranger')
    const lead = await it.connect(LEAD)
    const { dfid } = await own.open({ trigger: 'ticket' })
    const request = { model: 'm-1', messages: [], max_tokens: 10 }
    const before = await it.runtime.store.readFlow(dfid)
    for (const other of [stranger, lead]) {
      const refused = await other.generate(dfid, request).catch((error) => error)
      assert.deepEqual([refused instanceof AgentError, refused.code], [true, 'IDENTITY_MISMATCH'])
      const waited = await other.settled(dfid).catch((error) => error)
      assert.deepEqual([waited instanceof AgentError, waited.code], [true, 'IDENTITY_MISMATCH'])
      const resumed = await other.resume(dfid).catch((error) => error)
      assert.deepEqual([resumed instanceof AgentError, resumed.code], [true, 'IDENTITY_MISMATCH'])
    }
    assert.equal(asked, 0)
    assert.deepEqual(await it.runtime.store.readFlow(dfid), before, 'and nothing of it was touched')
    assert.equal((await own.generate(dfid, request)).text, 'yes')
  },
)
