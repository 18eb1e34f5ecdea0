import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type JsonObject, toCanonicalText, type Writ } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { createRuntime, type Runtime } from '../../compose.ts'
import { handClock } from '../../engine/flow/hand-clock.test-support.ts'
import { type Capability, NotApplied } from '../../ports/capability.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { type JudgedEntry, LawJudge, type LawReport } from './judge-law.ts'

let sends = 0
/** The first send is not applied. */
const SHIP: Capability = {
  kind: 'SHIP',
  effect: 'keyed',
  risk: 'low',
  reversible: true,
  idempotency: { carrier: 'header', window_s: 80 },
  params: {
    type: 'object',
    properties: { parcels: { type: 'string' } },
    required: ['parcels'],
    additionalProperties: false,
  },
  measures: { parcels: ({ parcels }) => parcels },
  resources: () => [{ id: 'dock', amount: '1', capacity: '9' }],
  execute() {
    sends += 1
    if (sends === 1) throw new NotApplied('busy', { transient: true })
    return { result: 'shipped' }
  },
}

const opened: Runtime[] = []
after(async () => {
  for (const runtime of opened) await runtime.close()
})

/** Accepted, carried out, and sent again. */
async function ledger(): Promise<readonly JudgedEntry[]> {
  const clock = handClock()
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [SHIP],
    background: false,
    executors: 'separate',
    clock,
  })
  opened.push(runtime)
  const limits = [{ id: 'most', measure: 'parcels', max: '5' }]
  await runtime.deploy({
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id: 'clerk',
    version: '1.0.0',
    owner: 'jane.doe@example.com',
    effective_from: '2025-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    mission: 'Send parcels.',
    permissions: { policy_kinds: ['SHIP'], limits },
  })
  const flow = await runtime.open({ agent: 'clerk', trigger: 'a parcel' })
  await flow.propose({ policy_kind: 'SHIP', params: { parcels: '3' } })
  const { inFlight } = runtime.engine.context
  await inFlight.awaitDrained()
  await clock.advance(5_000)
  await runtime.engine.reconcile()
  await inFlight.awaitDrained()
  const leaves = await runtime.store.listLeaves(0, 1_000)
  return leaves.map(({ id, envelope, payload }) => {
    return { id, envelope, payload: payload === null ? null : JSON.parse(payload) }
  })
}

const ENTRIES = await ledger()

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

type Facts = JsonObject & { readonly budgets: readonly JsonObject[]; readonly flow: JsonObject }
type Payload = JsonObject & { readonly facts: Facts; readonly body: JsonObject }

/** What is found when one entry of that kind is another. */
function changed(kind: string, change: (payload: Payload) => object): string {
  const at = ENTRIES.findLastIndex(({ envelope }) => envelope.kind === kind)
  const entry = ENTRIES[at] ?? assert.fail(`there is no ${kind}`)
  const payload = change(entry.payload as Payload) as JsonObject
  const { findings } = judge(ENTRIES.with(at, { ...entry, payload }))
  assert.ok(findings.every(({ leaf }) => leaf >= at))
  return findings.map(({ detail }) => detail).join('; ')
}

const withFacts =
  (more: JsonObject) =>
  (payload: Payload): object => ({ ...payload, facts: { ...payload.facts, ...more } })

test('what is carried out and sent again is judged as it was then', () => {
  const { ok, decisions, sends: judged } = judge(ENTRIES)
  assert.deepEqual([ok, decisions, judged], [true, 1, 2])
})

test('a resend that the law refuses is found, whatever its trace says', () => {
  const suspended = withFacts({ agent: { status: 'SUSPENDED', maintenance: false } })
  assert.match(changed('resend', suspended), /^it was sent again; the law says AGENT_SUSPENDED$/)
  const usedUp = (payload: Payload): object => {
    const budgets = payload.facts.budgets.map((row) => ({ ...row, used: row.granted ?? '0' }))
    return withFacts({ budgets })(payload)
  }
  assert.match(changed('resend', usedUp), /BUDGET_EXCEEDED/)
  assert.match(changed('dispatch', usedUp), /^it was carried out; the law says BUDGET_EXCEEDED/)
})

test('a resend with another trace, other resources or another end is found', () => {
  type Line = JsonObject & { readonly stage: string }
  const traced = (change: (line: Line) => object) => (payload: Payload) => ({
    ...payload,
    trace: (payload.trace as unknown as readonly Line[]).map(change),
  })
  const inLast = (more: JsonObject) =>
    traced((line) => (line.stage === 'preconditions' ? { ...line, ...more } : line))
  const measured = changed('resend', inLast({ measures: { parcels: '6' } }))
  assert.match(measured, /LIMIT_EXCEEDED/)
  assert.match(changed('resend', inLast({ read: [] })), /stage preconditions says something else/)
  const other = [{ id: 'gate', amount: '1', capacity: '9' }]
  assert.match(changed('resend', inLast({ resources: other })), /other resources than it holds/)
  const until = (send_before: string) => (payload: Payload) => ({
    ...payload,
    body: { ...payload.body, send_before },
  })
  assert.match(changed('resend', until('2099-01-01T00:00:00.000Z')), /it may leave until 20/)
})

test('the end of a resend is that of its key, where that comes first', () => {
  const resend = ENTRIES.find(({ envelope }) => envelope.kind === 'resend')
  const { facts, body } = (resend?.payload ?? assert.fail('it was sent again')) as Payload
  const first = ENTRIES.find(({ envelope }) => envelope.kind === 'dispatch')?.payload as Payload
  const ms = Date.parse(String(body.send_before)) - Date.parse(String(first.facts.now))
  assert.equal(ms, 20_000, 'a minute less than the provider knows the key')
  assert.ok(Date.parse(String(body.send_before)) < Date.parse(String(facts.now)) + 30_000)
})

test('facts that cannot be read were never judged by a kernel', () => {
  for (const kind of ['accepted', 'dispatch', 'resend'])
    assert.match(
      changed(kind, (payload) => ({ ...payload, facts: { ...payload.facts, writs: null } })),
      /cannot be read/,
    )
})

test('what was carried out on another State is judged by what does not depend on that', () => {
  const seen = {
    state: [{ path: 'x', value: '1', label: 'trusted', observed_at: '', version: '1' }],
  }
  assert.equal(changed('dispatch', withFacts(seen)), '', toCanonicalText(seen))
  const old = (payload: Payload): object => {
    const flow = { ...payload.facts.flow, snapshot_at: '2020-01-01T00:00:00.000Z' }
    return withFacts({ ...seen, flow })(payload)
  }
  assert.match(changed('dispatch', old), /STALE_CONTEXT/)
})
