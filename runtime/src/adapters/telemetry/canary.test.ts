import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import { AGENT, type FlowStage } from '../../engine/flow/flow-stage.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { type Capability, type Effect, NotApplied } from '../../ports/capability.ts'
import {
  type CanaryField,
  canariesIn,
  canary,
  FREE_FIELDS,
  NAMED_FIELDS,
  namedCanary,
} from './canary.test-support.ts'
import { feed, observed } from './observed.test-support.ts'

const REFUND: Capability = {
  kind: 'REFUND',
  effect: 'queryable',
  risk: 'medium',
  reversible: true,
  params: {
    type: 'object',
    properties: {
      amount: { type: 'string', 'x-log': 'plain' },
      act: { type: 'string', 'x-log': 'plain' },
      hidden: { type: 'string' },
      list: { type: 'array', items: { type: 'string' } },
      nested: { type: 'object' },
    },
  },
  measures: { amount: ({ amount }) => amount },
  resources: () => [{ id: canary('resource_id'), amount: '1', capacity: '100' }],
  precondition: ({ act }) => (act === 'preclude' ? canary('precondition') : null),
  postcondition: ({ params }) => (params.act === 'spoil' ? canary('postcondition') : null),
  execute: ({ params }): Effect => {
    const { act } = params
    const details = { why: canary('not_applied_details') }
    if (act === 'fail') throw new NotApplied(canary('not_applied_message'), { details })
    if (act === 'vanish') throw new Error(canary('capability_error'))
    return {
      result: { said: canary('capability_result') },
      receipt: canary('capability_receipt'),
      observations: [canary('capability_observation')],
    }
  },
  probe: {
    absence_authoritative: true,
    max_late_arrival_s: 1,
    ask: () => ({ finding: 'inconclusive', detail: canary('probe_detail') }),
  },
}

const LIMITS = [
  { id: 'amount', kind: 'range', measure: 'amount', max: '500', reason_code: 'TOO_BIG' },
  { id: 'asks', kind: 'range', measure: 'amount', max: '100', on_breach: 'escalate' },
]
const CONTRACT: JsonObject = {
  mission: canary('contract_mission'),
  owner: namedCanary('contract_owner'),
  reason_codes: { TOO_BIG: { kernel: 'LIMIT_EXCEEDED', summary: canary('domain_code_summary') } },
  permissions: { policy_kinds: ['REFUND'], limits: LIMITS },
}

function open(stage: FlowStage): Promise<Flow> {
  const path = namedCanary('observation_path')
  return stage.runtime().open({ agent: AGENT, trigger: canary('trigger'), state: ['known', path] })
}

function propose(flow: Flow, amount: string, act: string): ReturnType<Flow['propose']> {
  return flow.propose({
    policy_kind: 'REFUND',
    step_id: `${namedCanary('step_id')}.${act}`,
    justification: canary('justification'),
    explain_ref: namedCanary('explain_ref'),
    params: {
      amount,
      act,
      hidden: canary('param_hidden'),
      list: [canary('param_list')],
      nested: { deep: canary('param_nested') },
      [namedCanary('param_name')]: 1,
    },
  })
}

const WITNESS = {
  source_id: namedCanary('observation_source'),
  label: 'trusted',
  paths: [namedCanary('observation_path')],
} as const

/** Everything around the flows that takes text. */
async function fill(stage: FlowStage): Promise<void> {
  const runtime = stage.runtime()
  await runtime.observe({
    path: namedCanary('observation_path'),
    value: canary('observation_value'),
    source: WITNESS.source_id,
  })
  const name = namedCanary('artifact_name')
  await runtime.artifact({
    name,
    title: namedCanary('artifact_title'),
    text: canary('artifact_text'),
  })
  const value = { kept: canary('agent_state') }
  assert.ok((await stage.engine().contextStore.putAgentState(AGENT, value, null)).ok)
}

/** Accepted, rejected, escalated, failed, unknown; dirty last, for its agent is stopped by that. */
async function live(stage: FlowStage): Promise<readonly string[]> {
  const outcomes: string[] = []
  for (const [amount, act] of [
    ['20', 'work'],
    ['20', 'preclude'],
    ['900', 'work'],
    ['300', 'work'],
    ['20', 'fail'],
    ['20', 'vanish'],
    ['20', 'spoil'],
  ] as const) {
    const flow = await open(stage)
    await flow.note(canary('note'))
    await flow.search(canary('search'))
    const report = namedCanary('usage_report')
    await flow.usage({ tokens: 5, [namedCanary('usage_measure')]: 1 }, { report })
    const { outcome, execution } = await propose(flow, amount, act)
    outcomes.push(`${outcome} ${execution?.status ?? ''}`.trim())
  }
  return outcomes
}

/** What cannot be read, and what ends a flow from outside. Returns the token of a real session. */
async function disturb(stage: FlowStage): Promise<string> {
  const engine = stage.engine()
  const flow = await open(stage)
  const explained = { narrative: canary('explanation') }
  assert.ok((await engine.contextStore.explain(flow.dfid, explained)).ok)
  await flow.propose({ policy_kind: namedCanary('unknown_kind'), params: {} })
  await engine.propose(flow.dfid, `{"malformed": "${canary('malformed_proposal')}`)
  await engine.propose(canary('unreadable_dfid'), { policy_kind: 'REFUND' })
  await engine.propose(flow.dfid, {}, { session: namedCanary('session_token') })
  const shaken = await engine.handshake({ agent: AGENT })
  assert.ok(shaken.ok)
  const { session_token: token } = shaken.value
  const noted = await engine.contextStore.note(flow.dfid, { text: 'here' }, { session: token })
  assert.ok(noted.ok)
  await flow.cancel(canary('cancel_reason'))
  assert.ok((await engine.kill(AGENT, canary('kill_reason'))).ok)
  return token
}

test('what somebody planted in any field is in no line, metric, span, report or notice', async () => {
  const heard = await observed({
    capabilities: [REFUND],
    sources: [WITNESS, feed(() => canary('state_value'))],
  })
  const { stage, clock } = heard
  await stage.deploy(CONTRACT)
  await fill(stage)
  stage.runtime().on(AGENT, () => {
    throw new Error(canary('handler_error'))
  })
  const at = '2026-06-01T12:00:30.000Z'
  const timer = { name: 'soon', at, agent: AGENT, trigger: canary('trigger') }
  assert.ok((await stage.engine().timers.schedule(timer)).ok)
  assert.deepEqual(await live(stage), [
    'ACCEPTED SUCCESS',
    'REJECTED',
    'REJECTED',
    'ESCALATED',
    'ACCEPTED FAILED',
    'ACCEPTED UNKNOWN',
    'ACCEPTED MANUAL_REVIEW',
  ])
  clock.skip(60_000)
  await stage.engine().runDue()
  await stage.engine().reconcile()
  const token = await disturb(stage)

  const text = await heard.text()
  assert.deepEqual(canariesIn(text), [])
  assert.ok(token.length > 0 && !text.includes(token), 'nor is the token of a session')
  for (const shown of ['"amount":"20"', 'REFUND', 'escalation_count', 'MANUAL_REVIEW', AGENT])
    assert.ok(text.includes(shown), `${shown} is told, so that something could have been`)
  assert.ok(stage.told.some((line) => line.includes('the handler of')))

  const planted = canariesIn(await stored(stage))
  const missing = [...FREE_FIELDS, ...NAMED_FIELDS].filter((field) => !planted.includes(field))
  assert.deepEqual(missing.toSorted(), NEVER_STORED.toSorted())
  await heard.close()
})

/** What the runtime keeps: a field that is not in it was never planted. */
async function stored(stage: FlowStage): Promise<string> {
  const { store } = stage.runtime()
  const lines: string[] = []
  await stage.engine().checkpoint()
  await exportLedger(store, (line) => void lines.push(line))
  const range = { limit: 100 }
  const flows = await store.listFlows(range)
  const notes = flows.map(({ dfid }) => store.listRecords('note', dfid, range))
  const rows = [
    ...(await Promise.all(notes)),
    await store.listExecutions(range),
    await store.listRecords('observation', 'state', range),
    await store.listRecords('agent_state', 'agents', range),
    await store.listRecords('artifact', 'documents', range),
    await store.listRecords('artifact_chunk', namedCanary('artifact_name'), range),
  ]
  return [...lines, ...rows.map((found) => JSON.stringify(found))].join('')
}

/** Of these it keeps a hash, or nothing. */
const NEVER_STORED: readonly CanaryField[] = [
  'handler_error',
  'malformed_proposal',
  'session_token',
  'unreadable_dfid',
]

test('a canary is found as it is, in hexadecimal and in base64', () => {
  const text = canary('note')
  const forms = [text, Buffer.from(text).toString('hex'), JSON.stringify({ a: text })]
  for (const before of ['', 'a', 'ab', 'abc'])
    forms.push(Buffer.from(`${before}${text}`).toString('base64'))
  for (const form of forms) assert.deepEqual(canariesIn(form), ['note'], form)
  assert.deepEqual(canariesIn(namedCanary('step_id')), ['step_id'])
  assert.deepEqual(canariesIn('nothing'), [])
})
