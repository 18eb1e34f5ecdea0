/** Rows are as long as agents make them: a page ends where they come to so much text, and none is left out. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { LIMITS } from 'rubicon-kernel'
import { createRuntime } from '../../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract, refundCapability } from '../../demo/refunds.ts'
import { createLocalLookups } from './all.ts'
import type { LookupName, LookupRequest, Lookups } from './lookup.ts'

const COUNT = 40
const NOTE = 'x'.repeat(60_000)
/** One row may be over what a page has. */
const MOST = LIMITS.pageLength + 4 * NOTE.length

async function lookupsOfLongRows(t: TestContext): Promise<Lookups> {
  const capability = refundCapability([])
  const params = { type: 'object', additionalProperties: true } as const
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [{ ...capability, params }],
  })
  t.after(() => runtime.close())
  await runtime.deploy(buildRefundsContract())
  for (let i = 0; i < COUNT; i++) {
    const flow = await runtime.open({ agent: 'refunds_bot', trigger: `ticket ${i}` })
    const asked = { order: `o_${i}`, amount: '1.00', note: NOTE }
    const { outcome } = await flow.propose({ policy_kind: 'REFUND', params: asked })
    assert.equal(outcome, 'ACCEPTED')
  }
  const lookups = createLocalLookups(runtime.engine.context)
  await waitForIndex(lookups)
  return lookups
}

/** A list says what the index has, and waits for it for a moment only. */
async function waitForIndex(lookups: Lookups): Promise<void> {
  const asked = { asker: 'person ann', own: null, params: {}, query: { limit: '1' } }
  for (let tries = 1; ; tries += 1) {
    const { body } = await lookups.answer('listExecutions', asked)
    const { indexed } = JSON.parse(typeof body === 'string' ? body : JSON.stringify(body))
    if (indexed.leaf === indexed.size) return
    assert.ok(tries < 200, `the index has ${indexed.leaf} of ${indexed.size}`)
    await after(50)
  }
}

type Row = Readonly<Record<string, unknown>>
type Asked = Pick<LookupRequest, 'params' | 'query'> & { readonly rows: string }

/** Every row, page by page; none of the pages is longer than it may be. */
async function collectPages(
  lookups: Lookups,
  name: LookupName,
  { params, query, rows }: Asked,
): Promise<{ readonly found: readonly Row[]; readonly pages: number }> {
  const found: Row[] = []
  for (let [pages, cursor] = [1, undefined as string | undefined]; ; pages += 1) {
    const asked = { ...query, limit: '1000', ...(cursor === undefined ? {} : { cursor }) }
    const { status, body } = await lookups.answer(name, {
      ...{ asker: 'person ann', own: null, params },
      query: asked,
    })
    assert.equal(status, 200, JSON.stringify(body))
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    assert.ok(text.length < MOST, `${text.length} characters`)
    const page: Readonly<Record<string, Row[]>> & { readonly next: string | null } =
      JSON.parse(text)
    found.push(...(page[rows] ?? []))
    if (page.next === null) return { found, pages }
    cursor = page.next
  }
}

test('a page of effects ends where they come to so much text, and the next begins behind it', async (t) => {
  const lookups = await lookupsOfLongRows(t)
  for (const query of [{}, { kind: 'REFUND' }, { kind: 'REFUND', sort: 'dispatched' }]) {
    const asked = { params: {}, query, rows: 'executions' }
    const { found, pages } = await collectPages(lookups, 'listExecutions', asked)
    assert.equal(found.length, COUNT, JSON.stringify(query))
    assert.equal(new Set(found.map(({ dfid }) => dfid)).size, COUNT)
    assert.ok(pages > 1)
  }
})

test('a page of entries ends where their payloads come to so much text, in both directions', async (t) => {
  const lookups = await lookupsOfLongRows(t)
  const read = async (query: LookupRequest['query']): Promise<readonly unknown[]> => {
    const asked = { params: { id: 'main' }, query, rows: 'entries' }
    const { found, pages } = await collectPages(lookups, 'listTrajectoryEntries', asked)
    assert.ok(pages > 1)
    return found.map(({ seq }) => seq)
  }
  const forward = await read({ from: '0' })
  assert.deepEqual(
    forward,
    forward.map((_, seq) => seq),
  )
  assert.ok(forward.length > COUNT)
  assert.deepEqual(await read({}), forward.toReversed())
})

test('a flow is shown however long it is: what is short is there, what is too long is counted and stands in the ledger', async (t) => {
  const capability = refundCapability([])
  const answer = 'x'.repeat(100_000)
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [{ ...capability, execute: async () => ({ result: { answer } }) }],
  })
  t.after(() => runtime.close())
  await runtime.deploy(buildRefundsContract())
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket', steps: 'many' })
  for (let i = 0; i < COUNT; i++) {
    const params = { order: `o_${i}`, amount: '1.00' }
    await flow.propose({ policy_kind: 'REFUND', params, step_id: `s${i}` })
  }
  const lookups = createLocalLookups(runtime.engine.context)
  const asked = { asker: 'person ann', own: null, params: { dfid: flow.dfid }, query: {} }
  const { body } = await lookups.answer('getFlow', asked)
  assert.ok(typeof body === 'string')
  assert.ok(body.length < LIMITS.flowLength + 1_000_000, `${body.length} characters`)
  const { entries, executions, withheld } = JSON.parse(body)
  const stored = await runtime.store.listFlowEntries(flow.dfid)
  assert.equal(entries.length, stored.length)
  assert.equal(executions.length, COUNT)
  const missing = entries.filter(({ payload }: Row) => payload === null)
  const unanswered = executions.filter(({ result }: Row) => result === null)
  assert.ok(missing.length > 0 && withheld === missing.length + unanswered.length)
  const first: Row = missing[0]
  const isLong = ({ payload }: Row): boolean =>
    JSON.stringify(payload).length > (2 * answer.length) / 3
  assert.ok(entries.findIndex(isLong) > entries.indexOf(missing.at(-1)), 'the newest are shown')
  const place = { ...asked, params: { leaf: String(first.leaf) } }
  const whole = JSON.stringify((await lookups.answer('getEntry', place)).body)
  assert.ok(whole.includes(answer))
})
