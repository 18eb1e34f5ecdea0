/** Tools that are data are judged on nobody's word. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type JsonObject, type JsonValue, parseManifest, type Writ } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { toCapability } from '../../capabilities/from-manifest.ts'
import { createRuntime, type Runtime } from '../../compose.ts'
import type { Capability } from '../../ports/capability.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { type JudgedEntry, LawJudge, type LawReport } from './judge-law.ts'

const PARAMS: JsonObject = {
  type: 'object',
  properties: { to: { type: 'string' }, amount: { type: 'string' } },
  required: ['to', 'amount'],
  additionalProperties: false,
}

const MANIFEST: JsonObject = {
  manifest: 'rubicon/tool/1',
  kind: 'PAY',
  version: '1',
  summary: 'pays',
  params: PARAMS,
  effect: 'put_if_match',
  reversible: true,
  risk: 'medium',
  scopes: { accounts: '/to' },
  measures: { amount: { mul: [{ param: '/amount' }, { fact: 'fx.usd' }] } },
  cost: { usd: { param: '/amount' } },
  resources: [{ id: 'account:{/to}', amount: { param: '/amount' }, capacity: { const: '900' } }],
  precondition: [
    {
      require: { not: { eq: [{ param: '/amount' }, { const: '13.00' }] } },
      else: 'a luckier amount',
    },
  ],
  delta: [
    { op: 'create', kind: 'payment', id: '{/to}', value: { amount: { $: { param: '/amount' } } } },
  ],
  executor: { world: true },
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
    accounts: ['alice', 'bob'],
    limits: [{ id: 'hard', kind: 'range', measure: 'amount', max: '500.00' }],
  },
  safety_rules: { budget_per_flow: { calls: '20', usd: '5000.00' } },
}

const opened: Runtime[] = []
after(async () => {
  for (const runtime of opened) await runtime.close()
})

function toPay(): Capability {
  const manifest = parseManifest(MANIFEST)
  assert.ok(manifest.ok, JSON.stringify(manifest))
  return toCapability(manifest.value, { execute: () => assert.fail('nothing leaves the process') })
}

async function ledger(pay: Capability): Promise<readonly JudgedEntry[]> {
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [pay],
    sources: [{ source_id: 'fx', label: 'trusted', paths: ['fx.*'] }],
    background: false,
  })
  opened.push(runtime)
  await runtime.deploy(CONTRACT)
  await runtime.observe({ path: 'fx.usd', value: '2', source: 'fx' })
  for (const [to, amount] of [
    ['alice', '20.00'],
    ['alice', '900.00'],
    ['carol', '20.00'],
    ['alice', '13.00'],
    ['alice', '9'.repeat(34)],
  ] as const) {
    const flow = await runtime.open({ agent: 'payer', trigger: 'an invoice' })
    await flow.propose({ policy_kind: 'PAY', params: { to, amount }, confidence: 0.9 })
  }
  const leaves = await runtime.store.listLeaves(0, 1_000)
  return leaves.map(({ id, envelope, payload }) => {
    return { id, envelope, payload: payload === null ? null : JSON.parse(payload) }
  })
}

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

const ENTRIES = await ledger(toPay())

/** The texts of a payload, changed, in every entry of these kinds. */
function withPayloads(change: (entry: JudgedEntry) => JsonValue): readonly JudgedEntry[] {
  return ENTRIES.map((entry) => ({ ...entry, payload: change(entry) as JsonObject | null }))
}

test('an honest ledger of manifest tools holds, and no word is taken', () => {
  const report = judge(ENTRIES)
  assert.deepEqual([report.ok, report.findings, report.unjudged], [true, [], {}])
  assert.deepEqual(report.on_the_word_of, {})
  assert.deepEqual(Object.values(report.by_manifest), [5 + report.sends])
  const codes = ENTRIES.map(({ payload }) => payload?.reason_code).filter(Boolean)
  assert.deepEqual(codes, [
    'LIMIT_EXCEEDED',
    'RESOURCE_SCOPE',
    'PRECONDITION_FAILED',
    'EXPRESSION_OVERFLOW',
  ])
})

/** In every entry but where a trace tells the measures. */
function replaceAmount(from: string, to: string): readonly JudgedEntry[] {
  const forged = withPayloads(({ payload }) =>
    JSON.parse(JSON.stringify(payload).replaceAll(from, to)),
  )
  assert.notDeepEqual(forged, ENTRIES, 'something was forged')
  return forged
}

function detailsOf(entries: readonly JudgedEntry[]): string {
  const report = judge(entries)
  assert.equal(report.ok, false)
  return report.findings.map(({ detail }) => detail).join('; ')
}

test('a measure that was recorded too low for what was let pass is found', () => {
  // The trace still says that it was 40.
  const found = detailsOf(
    replaceAmount('"amount":"20.00","to":"alice"', '"amount":"400.00","to":"alice"'),
  )
  assert.match(found, /^it was let pass; the law says LIMIT_EXCEEDED at preconditions/)
})

test('a measure that was recorded and does not follow from the manifest is found', () => {
  const found = detailsOf(replaceAmount('"measures":{"amount":"40"}', '"measures":{"amount":"4"}'))
  assert.match(found, /^stage preconditions says something else/)
})

test('a description that is not that of its manifest judges nothing', () => {
  const altered = withPayloads(({ envelope, payload }) =>
    envelope.kind === 'policy'
      ? JSON.parse(JSON.stringify(payload).replaceAll('"measures":["amount"]', '"measures":[]'))
      : payload,
  )
  assert.notDeepEqual(altered, ENTRIES, 'something was altered')
  const report = judge(altered)
  assert.equal(report.ok, false)
  assert.match(Object.keys(report.unjudged).join(), /not what its manifest says/)
})
