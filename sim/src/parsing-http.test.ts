/** The same inputs over the wire: what is refused in process is refused there by the same name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { type OpenFlow, post, served } from '../../server/src/http/served.test-support.ts'
import { buildPayerCapabilities, buildPayerContract, buildProposalBody, PAYER } from './parsing.ts'
import { PARSING_INPUTS, type ParsingInput } from './parsing-inputs.ts'

type OnWire = Extract<ParsingInput, { via: 'body' | 'members' }>

const inputs: readonly OnWire[] = PARSING_INPUTS.filter(
  (input) => input.via === 'body' || input.via === 'members',
)

/** What the parser refuses, whatever the document is for. */
const unreadable = inputs.filter(({ expected }) => /^(JSON|BODY)_/.test(expected))

function goodOf({ dfid, context }: OpenFlow): Readonly<Record<string, string>> {
  return {
    dfid,
    agent_id: PAYER,
    policy_kind: 'PAY',
    context_ref: context.snapshot_id,
    mission_context_hash: context.mission_context_hash,
  }
}

function isTooLarge(body: Uint8Array | object): boolean {
  return body instanceof Uint8Array && body.length > LIMITS.json.bytes
}

test('a proposal over the wire comes to the code that it comes to in process', async (t) => {
  const { runtime, agent, open } = await served(t, {
    capabilities: [...buildPayerCapabilities()],
    contracts: [buildPayerContract()],
  })
  const payer = await agent(PAYER)
  assert.ok(inputs.length >= 45)
  for (const input of inputs) {
    const flow = await open(payer)
    const body = buildProposalBody(input, goodOf(flow))
    const before = await runtime.store.countLeaves()
    const { status, body: said } = await post(payer, `/v1/flows/${flow.dfid}/proposals`, { body })
    const what = `${input.row}: ${input.input.slice(0, 80)}`
    const code = status === 200 ? (said.reason_code ?? said.outcome) : said.code
    assert.equal(code, input.expected, what)
    // What is refused for its size was never read.
    const wanted = isTooLarge(body) ? 0 : code === 'ACCEPTED' ? 2 : 1
    assert.equal((await runtime.store.countLeaves()) - before, wanted, what)
  }
})

test('what cannot be read is refused by the same name on a route of another kind', async (t) => {
  const { runtime, person } = await served(t)
  const operator = person('jane', 'operator')
  assert.ok(unreadable.length >= 25)
  const before = await runtime.store.countLeaves()
  for (const input of unreadable) {
    const body =
      input.via === 'body'
        ? buildProposalBody(input, {})
        : Buffer.from(`{"path":"a.b","source":"s","value":{${input.members}}}`)
    const { status, body: said } = await post(operator, '/v1/observations', { body })
    const what = `${input.row}: ${input.input.slice(0, 80)}`
    assert.equal(said.code, input.expected, what)
    assert.equal(status, input.expected === 'BODY_TOO_LARGE' ? 413 : 400, what)
  }
  assert.equal(await runtime.store.countLeaves(), before, 'nothing of it is kept')
})
