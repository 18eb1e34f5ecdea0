import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type JsonObject, toCanonicalText, type Writ } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { createRuntime, type Runtime } from '../../compose.ts'
import { createCedarPolicy } from '../../policies/cedar.ts'
import type { Capability } from '../../ports/capability.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { type JudgedEntry, LawJudge, type LawReport } from './judge-law.ts'
import { judgeStore } from './judge-ledger.ts'

const PAY: Capability = {
  kind: 'PAY',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  params: {
    type: 'object',
    properties: { to: { type: 'string' }, amount: { type: 'string' } },
    required: ['to', 'amount'],
    additionalProperties: false,
  },
  scopes: { accounts: '/to' },
  measures: { amount: ({ amount }) => amount },
  costOf: ({ amount }) => ({ usd: String(amount) }),
  resources: ({ to, amount }) => [{ id: `account:${to}`, amount: String(amount), capacity: '900' }],
  precondition: ({ amount }) => (amount === '13.00' ? 'a luckier amount' : null),
  execute: ({ params }) => ({ result: params.amount ?? null }),
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
    limits: [
      { id: 'hard', kind: 'range', measure: 'amount', max: '500.00' },
      { id: 'soft', kind: 'range', measure: 'amount', max: '100.00', on_breach: 'escalate' },
    ],
  },
  safety_rules: { budget_per_flow: { calls: '20', usd: '1000.00' } },
}

const CEDAR = `@id("bob") forbid(principal, action, resource)
when { context.params.to == "bob" && context.measures.amount.greaterThan(decimal("50.0")) };`

const opened: Runtime[] = []
after(async () => {
  for (const runtime of opened) await runtime.close()
})

/** One decision of each kind: passed, asked, and refused by schema, scope, limit, code and policies. */
async function ledger(): Promise<readonly JudgedEntry[]> {
  const cedar = createCedarPolicy({ name: 'bob', version: '1', text: CEDAR }, sha256)
  assert.ok(cedar.ok)
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [PAY],
    policies: [
      cedar.value,
      {
        name: 'no-sevens',
        version: '1',
        source: { kind: 'unpinned' },
        evaluate: ({ proposal }) => ({
          decision: proposal.params.amount === '7.00' ? { kind: 'deny', reason: 'seven' } : null,
        }),
      },
    ],
    background: false,
  })
  opened.push(runtime)
  await runtime.deploy(CONTRACT)
  for (const [to, amount] of [
    ['alice', '20.00'],
    ['alice', '200.00'],
    ['alice', '900.00'],
    ['carol', '20.00'],
    ['bob', '60.00'],
    ['alice', '7.00'],
    ['alice', '13.00'],
    ['alice', 20],
  ] as const) {
    const flow = await runtime.open({ agent: 'payer', trigger: 'an invoice' })
    await flow.propose({ policy_kind: 'PAY', params: { to, amount }, confidence: 0.9 })
  }
  assert.equal((await judgeStore(runtime.store, sha256)).ok, true)
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

const ENTRIES = await ledger()

type Payload = {
  readonly trace: readonly { readonly stage: string; readonly policies?: readonly object[] }[]
  readonly proposal: object
  readonly intent: object
  readonly request: object
}

/** The ledger with another payload in the only entry that has this text in it. */
function judgeWith(mark: string, change: (payload: Payload) => object): LawReport {
  const found = ENTRIES.filter(({ envelope, payload }) => {
    return envelope.trajectory === 'main' && toCanonicalText(payload).includes(mark)
  })
  const entry = found.find(({ payload }) => payload?.facts !== undefined)
  assert.ok(entry?.payload != null, `an entry has ${mark}`)
  const payload = change(structuredClone(entry.payload) as never)
  return judge(ENTRIES.map((one) => (one === entry ? ({ ...one, payload } as JudgedEntry) : one)))
}

function details({ findings }: LawReport): readonly string[] {
  return findings.map(({ detail }) => detail)
}

test('an honest ledger holds, and says whose word was taken', () => {
  const report = judge(ENTRIES)
  assert.deepEqual(report.findings, [])
  assert.deepEqual([report.ok, report.decisions, report.unjudged], [true, 8, {}])
  const [code, policy, ...more] = Object.entries(report.on_the_word_of)
  assert.deepEqual([code?.[1], policy, more], [8, ['unpinned:no-sevens', 8], []])
})

test('what the kernel signed beyond a limit is found', () => {
  const report = judgeWith('"20.00"', ({ trace, ...payload }) => {
    return { ...payload, trace: raised(trace, '800.00') }
  })
  assert.match(details(report).join(), /^it was let pass; the law says LIMIT_EXCEEDED at precond/)
})

test('a kind that the contract does not grant is found', () => {
  const report = judgeWith('"20.00"', ({ proposal, ...payload }) => {
    return { ...payload, proposal: { ...proposal, policy_kind: 'DRAIN' } }
  })
  assert.match(details(report).join(), /^it was let pass; the law says/)
})

test('a Cedar policy is judged, whatever the trace says it said', () => {
  const report = judgeWith('"60.00"', (payload) => {
    const trace = payload.trace.map((line) => {
      if (line.stage !== 'policy') return line
      const [cedar, ...rest] = line.policies ?? []
      const silent = { ...cedar, said: 'nothing', reason: '', determining: [] }
      return { stage: 'policy', said: 'pass', policies: [silent, ...rest] }
    })
    return { ...payload, trace, reason_code: 'OVERLOADED' }
  })
  assert.match(details(report).join(), /the law says POLICY_DENIED at policy$/)
})

test('a policy without a word in the record is not taken for silent', () => {
  const report = judgeWith('"20.00"', (payload) => {
    const trace = payload.trace.map((line) =>
      line.stage === 'policy' ? { ...line, policies: line.policies?.slice(0, 1) } : line,
    )
    return { ...payload, trace }
  })
  assert.deepEqual(details(report), ['it was let pass; the law says POLICY_ERROR at policy'])
})

test('another intent than the law makes is found, and what differs is named', () => {
  const cheaper = judgeWith('"20.00"', ({ intent, ...payload }) => {
    return { ...payload, intent: { ...intent, cost: { calls: '0' }, intent_id: 'x' } }
  })
  assert.match(details(cheaper).join(), /^the law gives another intent: .*cost/)
})

test('a refusal that the law does not give is found', () => {
  const report = judgeWith('"900.00"', (payload) => ({ ...payload, reason_code: 'KIND_FORBIDDEN' }))
  assert.match(
    details(report).join(),
    /^it was refused as KIND_FORBIDDEN at preconditions; the law/,
  )
})

test('a question about something else is found', () => {
  const report = judgeWith('"200.00"', ({ request, ...payload }) => {
    return {
      ...payload,
      request: { ...request, intent_digest: `sha256:${'0'.repeat(64)}` },
    }
  })
  assert.deepEqual(details(report), ['it was asked about another intent'])
})

test('what cannot be judged is counted, and nothing is said to hold', () => {
  const unruled = judge(ENTRIES.filter(({ envelope }) => envelope.kind !== 'policy'))
  assert.deepEqual([unruled.ok, unruled.decisions], [false, 0])
  assert.match(Object.keys(unruled.unjudged).join(), /^no entry records the rules sha256:/)
  const writless = judge(ENTRIES.filter(({ envelope }) => envelope.kind !== 'writ'))
  assert.deepEqual(writless.unjudged, { 'a writ that it stands on is missing': 8 })
})

/** The ledger behind a flow that was erased. */
const AFTER_ERASURE: readonly JudgedEntry[] = [
  {
    id: `sha256:${'1'.repeat(64)}`,
    envelope: { kind: 'writ', dfid: 'gone', trajectory: 'main' } as JudgedEntry['envelope'],
    payload: null,
  },
  ...ENTRIES,
]
const GONE = { id: `sha256:${'2'.repeat(64)}`, nonce: 'gone' } as const

test('a decision below an erased flow, or taken back on the word of one, is counted as such', () => {
  const below = AFTER_ERASURE.map(({ payload, ...rest }) => {
    if (payload === null) return { ...rest, payload }
    const { writ, facts } = payload as { writ?: Writ; facts?: { writs: readonly object[] } }
    const child = writ && { ...writ, body: { ...writ.body, parent: GONE.id } }
    const held = facts && { ...facts, writs: [...facts.writs, GONE] }
    const more = { ...(child && { writ: child }), ...(held && { facts: held }) }
    return { ...rest, payload: { ...payload, ...more } } as unknown as JudgedEntry
  })
  const { ok, erased } = judge(below)
  assert.deepEqual([ok, erased], [true, 8])
  const undone = AFTER_ERASURE.map((entry) => {
    const { facts, intent } = (entry.payload ?? {}) as { facts?: object; intent?: object }
    if (facts === undefined || intent === undefined) return entry
    const compensation = { dfid: 'gone' }
    const taken = { facts: { ...facts, writs: [GONE] }, intent: { ...intent, compensation } }
    return { ...entry, payload: { ...entry.payload, ...taken } } as JudgedEntry
  })
  assert.equal(judge(undone).erased, 1)
})

test('a decision is not let off by a writ that it names beside its own, as of an erased flow', () => {
  const forged = AFTER_ERASURE.map((entry) => {
    const payload = entry.payload as { facts?: { writs: readonly object[] } } & Payload
    if (payload?.facts === undefined || payload.intent === undefined) return entry
    const facts = { ...payload.facts, writs: [...payload.facts.writs, GONE] }
    return { ...entry, payload: { ...payload, facts, trace: raised(payload.trace, '800.00') } }
  }) as readonly JudgedEntry[]
  const { ok, erased, unjudged } = judge(forged)
  assert.deepEqual([ok, erased], [false, 0])
  assert.deepEqual(unjudged, { 'a writ that it stands on is missing': 1 })
  const own = AFTER_ERASURE.map((entry) => {
    const payload = entry.payload as { facts?: object }
    if (payload?.facts === undefined) return entry
    return { ...entry, payload: { ...payload, facts: { ...payload.facts, writs: [GONE] } } }
  }) as readonly JudgedEntry[]
  assert.deepEqual([judge(own).ok, judge(own).erased], [false, 0])
})

function raised(trace: Payload['trace'], amount: string): object {
  return trace.map((line) =>
    line.stage === 'preconditions' ? { ...line, measures: { amount } } : line,
  )
}
