/** What a tool that is data did to World follows from its manifest, or it is found. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type JsonObject, type JsonValue, parseManifest, type Writ } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { toCapability } from '../../capabilities/from-manifest.ts'
import { createRuntime, type Runtime } from '../../compose.ts'
import { AGENT, flowStage } from '../../engine/flow/flow-stage.test-support.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { type JudgedEntry, LawJudge, type LawReport } from './judge-law.ts'
import { judgeStore } from './judge-ledger.ts'

const MANIFEST: JsonObject = {
  manifest: 'rubicon/tool/1',
  kind: 'PAY',
  version: '1',
  summary: 'pays',
  params: {
    type: 'object',
    properties: { to: { type: 'string' }, amount: { type: 'string' } },
    required: ['to', 'amount'],
    additionalProperties: false,
  },
  effect: 'unsafe',
  reversible: true,
  risk: 'low',
  measures: { amount: { param: '/amount' } },
  cost: { usd: { param: '/amount' } },
  postcondition: [
    { require: { eq: [{ result: '/state' }, { const: 'done' }] }, else: 'it is not done' },
  ],
  delta: [
    {
      op: 'create',
      kind: 'payment',
      id: '{/to}',
      value: { id: { $: { result: '/id' } }, amount: { $: { param: '/amount' } } },
    },
  ],
  executor: {
    http: { method: 'POST', url: 'https://pay.example/{/to}', applied: [200] },
  },
}

const CONTRACT: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: 'payer',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-01-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_LIMITED',
  mission: 'Pay what is owed.',
  permissions: {
    policy_kinds: ['PAY'],
    limits: [{ id: 'hard', kind: 'range', measure: 'amount', max: '500.00' }],
  },
  safety_rules: { budget_per_flow: { calls: '20', usd: '5000.00' } },
}

let opened: Runtime | undefined
after(() => opened?.close())

async function createLedger(): Promise<readonly JudgedEntry[]> {
  const manifest = parseManifest(MANIFEST)
  assert.ok(manifest.ok, JSON.stringify(manifest))
  const result = { id: 'r1', state: 'done' }
  const pay = toCapability(manifest.value, { execute: async () => ({ status: 200, result }) })
  opened = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [pay],
    background: false,
  })
  await opened.deploy(CONTRACT)
  const flow = await opened.open({ agent: 'payer', trigger: 'an invoice' })
  const params = { to: 'alice', amount: '20.00' }
  const answer = await flow.propose({ policy_kind: 'PAY', params, confidence: 0.9 })
  assert.equal(answer.execution?.status, 'SUCCESS')
  const leaves = await opened.store.listLeaves(0, 1_000)
  return leaves.map(({ id, envelope, payload }) => {
    return { id, envelope, payload: payload === null ? null : JSON.parse(payload) }
  })
}

const ENTRIES = await createLedger()

function judge(entries: readonly JudgedEntry[]): LawReport {
  const law = new LawJudge(sha256)
  const writs = new Map<string, Writ>()
  for (const [leaf, entry] of entries.entries()) {
    const writ = (entry.payload as { writ?: Writ } | null)?.writ
    if (writ !== undefined) writs.set(writ.id, writ)
    law.see(leaf, entry, ({ id }) => writs.get(id))
  }
  return law.report()
}

/** What is found where the commit says something else. */
function findForged(change: (commit: JsonObject) => JsonObject): string {
  const forged = ENTRIES.map((entry) =>
    entry.envelope.kind === 'commit' && entry.payload !== null
      ? { ...entry, payload: { ...entry.payload, ...change(entry.payload) } }
      : entry,
  )
  assert.notDeepEqual(forged, ENTRIES, 'something was forged')
  return judge(forged)
    .findings.map(({ detail }) => detail)
    .join('; ')
}

function replaceText(value: JsonValue | undefined, from: string, to: string): JsonValue {
  return JSON.parse(JSON.stringify(value).replaceAll(from, to))
}

test('a change to World that does not follow from its manifest is found', () => {
  const honest = judge(ENTRIES)
  assert.deepEqual([honest.ok, honest.findings], [true, []])
  const otherwise = /^it changed World otherwise than its manifest says$/
  const changes: readonly (readonly [string, string])[] = [
    ['20.00', '20000.00'],
    ['alice', 'mallory'],
    ['r1', 'r2'],
    ['create', 'replace'],
  ]
  for (const [from, to] of changes)
    assert.match(
      findForged(({ delta }) => ({ delta: replaceText(delta, from, to) })),
      otherwise,
    )
  assert.match(
    findForged(() => ({ delta: [] })),
    otherwise,
  )
})

test('a cost, a result or an end that does not follow from its manifest is found', () => {
  assert.match(
    findForged(() => ({ cost: { calls: '1' } })),
    /^it cost something else/,
  )
  const observe = (observations: JsonValue): string => findForged(() => ({ observations }))
  assert.match(observe([]), /^it observed something else/)
  assert.match(observe([{ id: 'r1', state: 'done' }, 'more']), /^it observed something else/)
  assert.match(observe([{ id: 'r1', state: 'lost' }]), /^it is recorded as done.*it is not done$/)
  assert.match(observe([{ state: 'done' }]), /by its manifest op 0 of the delta: `result\/id` is/)
})

test('what a person found out is theirs to say', () => {
  assert.equal(
    findForged(() => ({ settled_by: 'person', delta: [] })),
    '',
  )
})

test('what a probe found, and what was sent again, follows from the manifest as well', async () => {
  const lose = (): never => {
    throw new Error('connection reset')
  }
  const answer = { status: 200, result: { id: 'r1', state: 'done' } }
  const key = 'Idempotency-Key'
  const http = { ...(MANIFEST.executor as { http: JsonObject }).http, idempotency_header: key }
  const ask = { method: 'GET', url: 'https://pay.example/{/to}', applied: [200, 404] }
  const keyed = {
    effect: 'keyed',
    idempotency: { carrier: key, window_s: 86_400 },
    executor: { http },
  }
  const queryable = {
    effect: 'queryable',
    probe: {
      absence_authoritative: true,
      max_late_arrival_s: 1,
      executor: { http: ask },
      applied: { eq: [{ result: '/state' }, { const: 'done' }] },
      absent: { eq: [{ status: true }, { const: 404 }] },
    },
  }
  for (const [by, patch] of [
    ['resend', keyed],
    ['probe', queryable],
  ] as const) {
    const parsed = parseManifest({ ...MANIFEST, kind: 'REFUND', cost: {}, ...patch })
    assert.ok(parsed.ok, JSON.stringify(parsed))
    let calls = 0
    const execute = async (): Promise<typeof answer> => {
      calls += 1
      return calls === 1 ? lose() : answer
    }
    const stage = await flowStage({ capabilities: [toCapability(parsed.value, { execute })] })
    await stage.deploy()
    const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
    const params = { to: 'alice', amount: '20.00' }
    const { execution } = await flow.propose({ policy_kind: 'REFUND', params })
    assert.equal(execution?.status, 'UNKNOWN')
    await stage.clock.advance(5_000)
    await stage.engine().reconcile()
    const { store } = stage.runtime()
    const [row] = await store.listExecutions({ dfid: flow.dfid, limit: 1 })
    assert.deepEqual([by, row?.status, calls], [by, 'SUCCESS', 2])
    const report = await judgeStore(store, sha256)
    assert.deepEqual([report.ok, report.findings, report.unjudged], [true, [], {}])
    await stage.close()
  }
})
