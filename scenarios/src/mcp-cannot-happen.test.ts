/** What users of other gateways have met, and what happens here in its place. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type EscalationDecision, type Failure, LIMITS, type Result } from 'rubicon-kernel'
import { createRuntime, type Runtime } from 'rubicon-runtime/compose'
import { buildContract } from '../../server/src/demo/contract.ts'
import { createMovableClock } from '../../server/src/demo/stage.ts'
import { approveNow } from './mcp-desk.ts'
import {
  agreeToTools,
  connectClient,
  DESK,
  type DeskClient,
  listDone,
  openDesk,
} from './mcp-desk-place.ts'

const ANN = 'ann@example.com'
const folder = mkdtempSync(join(tmpdir(), 'rubicon-mcp-desk-'))
const clock = createMovableClock()
let gateway: ReturnType<typeof openDesk>
let runtime: Runtime
let client: DeskClient

before(async () => {
  const lock = await agreeToTools(folder)
  // The tool of the server `crm` is one that nobody agreed to.
  gateway = openDesk(folder, { tools: lock.tools.filter(({ server }) => server !== 'crm') })
  const { capabilities } = gateway
  const parts = { capabilities, people: [ANN], clock, report: () => {} }
  runtime = await createRuntime({ store: 'memory', ...parts })
  await runtime.deploy(
    buildContract(DESK, ['mcp.mail.send', 'mcp.notes.add', 'mcp.shop.refund'], {
      safety_rules: {
        requires_human_approval: ['mcp.notes.add', 'mcp.shop.refund'],
        escalations_per_hour: 20,
      },
    }),
  )
  client = await connectClient(runtime, gateway)
})

after(async () => {
  await client.close()
  await runtime.close()
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

async function decide(
  dfid: string,
  change: Partial<EscalationDecision> = {},
): Promise<Result<unknown, Failure>> {
  const { oversight } = runtime.engine
  const view = await oversight.escalation(`${dfid}:1`)
  assert.ok(view !== null)
  clock.ahead(LIMITS.highImpactDwellMs)
  const decision = { ...approveNow(view.request, clock), ...change }
  return oversight.decideEscalation(view.request.id, decision, { kind: 'person', principal: ANN })
}

test('an unwrapped tool does not run ungoverned: what nobody agreed to is not there', async () => {
  const { code } = await client.call('crm__close_ticket', { ticket: 't-1' })
  assert.equal(code, 'TOOL_UNKNOWN')
  assert.deepEqual(listDone(folder, 'crm'), [])
})

test('a client cannot approve, and an approval of something else approves nothing', async () => {
  const { dfid, code } = await client.call('shop__refund', { order: 'forged', usd: '1' })
  assert.equal(code, 'PENDING_APPROVAL')
  assert.equal((await client.call('rubicon_approve', { dfid })).code, 'TOOL_UNKNOWN')
  const forged = await decide(dfid, { intent_digest: `sha256:${'0'.repeat(64)}` })
  assert.equal(forged.ok, false)
  assert.deepEqual(listDone(folder, 'shop'), [])
})

test('a call that a person has ended does not run', async () => {
  const { dfid } = await client.call('shop__refund', { order: 'ended', usd: '2' })
  assert.equal((await decide(dfid, { decision: 'ABORT' })).ok, true)
  assert.equal((await client.call('rubicon_result', { dfid })).code, 'FLOW_CANCELLED')
  assert.deepEqual(listDone(folder, 'shop'), [])
})

test('two approvals of one call at once have one effect, and the same call meanwhile is the same', async () => {
  const args = { order: 'twice', usd: '3' }
  const { dfid } = await client.call('shop__refund', args)
  assert.equal((await client.call('shop__refund', args)).dfid, dfid)
  const both = await Promise.all([decide(dfid), decide(dfid)])
  assert.deepEqual(both.map(({ ok }) => ok).sort(), [false, true])
  assert.equal((await client.call('rubicon_result', { dfid })).text, 'done')
  assert.deepEqual(
    listDone(folder, 'shop').map((line) => JSON.parse(line)),
    [args],
  )
})

test('what was approved is what runs: not the tool as it is described by then', async () => {
  const first = await client.call('notes__add', { text: 'first' })
  const second = await client.call('notes__add', { text: 'second' })
  assert.equal((await decide(first.dfid)).ok, true)
  assert.equal((await client.call('rubicon_result', { dfid: first.dfid })).text, 'done')
  await decide(second.dfid)
  const told = await client.call('rubicon_result', { dfid: second.dfid })
  assert.match(told.text, /TOOL_DRIFT/)
  assert.equal(listDone(folder, 'notes').length, 1)
})

test('the audit does not omit the arguments', async () => {
  const args = { to: 'bob@customers.example', text: 'We open at 9, said the audit.' }
  const { dfid } = await client.call('mail__send', args)
  const entries = await runtime.store.listLeaves(0, await runtime.store.countLeaves())
  const told = entries.filter(
    ({ payload }) => payload?.includes(args.text) && payload.includes(args.to),
  )
  assert.ok(told.length > 0)
  assert.ok(dfid !== '')
})
