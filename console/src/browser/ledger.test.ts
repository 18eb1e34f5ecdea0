/** Can I believe this? Asked of a long ledger, of a tampered entry, and of a file without a server. */
import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type { Runtime } from 'rubicon-runtime'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import { exportBundle } from '../../../runtime/src/evidence/export-bundle.ts'
import { goByKeys } from './chord.test-support.ts'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { dropFile } from './drop-file.test-support.ts'
import { capabilities, contract } from './refunds.test-support.ts'

const FULL = process.env.RUBICON_FULL === '1'
/** More than twice what is sent at once, which is 500; as many as the bar says where there is time. */
const ENTRIES = FULL ? 10_000 : 1_100
/** In the second of what is sent, or in the fourth. */
const TAMPERED = FULL ? 1_711 : 711
/** What is said of their number: a few more come with the last of them. */
const MANY = FULL ? '10,\\d{3}' : '1,\\d{3}'

let opened: OpenConsole
let dfid = ''

async function seed(runtime: Runtime): Promise<void> {
  await runtime.deploy(contract())
  const flow = async (n: number): Promise<string> => {
    const { dfid: id, propose } = await opening(runtime, n)
    await propose()
    return id
  }
  dfid = await flow(0)
  while ((await runtime.store.countLeaves()) < ENTRIES)
    await Promise.all(Array.from({ length: 64 }, (_, i) => flow(i)))
}

async function opening(runtime: Runtime, n: number) {
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: `ticket ${n}` })
  const params = { order: `o_${n}`, amount: '20.00' }
  return { dfid: flow.dfid, propose: () => flow.propose({ policy_kind: 'REFUND', params }) }
}

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed })
})
after(() => opened.close())

const verdict = (): Promise<string> => opened.page.locator('.verdict').innerText()

/** So long nothing more is checked before somebody says that nothing will be. */
const STALLED_MS = 60_000

/** A check of so many signatures takes its time on a busy machine: it is waited for as long as it gets on. */
async function verified(): Promise<string> {
  const { page } = opened
  for (let before = '-1'; before !== 'done'; )
    before = await (
      await page.waitForFunction(readProgressBeyond, before, { timeout: STALLED_MS })
    ).jsonValue()
  return verdict()
}

/** Runs in the page. How many entries are checked, once they are others than before; `done` with a verdict. */
function readProgressBeyond(before: string): string {
  if (document.querySelector('.verdict') !== null) return 'done'
  const now = document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') ?? ''
  return now === before ? '' : now
}

async function verify(): Promise<string> {
  const { page, url } = opened
  await page.goto(`${url}/ledger?in=verify`)
  await page.getByRole('button', { name: 'Verify the ledger of this server' }).click()
  await page.getByRole('progressbar', { name: 'entries checked' }).waitFor()
  return verified()
}

test('an entry is found and walked by keys alone, and fits its hash in the browser', async () => {
  const { page } = opened
  await goByKeys(page, 'l', '/ledger')
  await page.getByRole('table', { name: 'entries of the ledger' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(`kind:commit ${dfid}`)
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /commit/ }).waitFor()
  assert.match(page.url(), /q=kind%3Acommit/)
  await page.locator('body').click({ position: { x: 5, y: 400 } })
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  const detail = page.getByRole('region', { name: 'detail' })
  await detail.getByRole('heading', { name: /commit/ }).waitFor()
  await detail.getByRole('link', { name: 'Hashed bytes' }).click()
  await detail.getByText('hashed in this browser: it matches').nth(1).waitFor()
  await detail.getByRole('link', { name: 'Proof' }).click()
  await detail.getByText(/is in the log of/).waitFor()
  await page.locator('body').click({ position: { x: 5, y: 400 } })
  await page.keyboard.press('[')
  await detail.getByRole('heading', { name: /dispatch/ }).waitFor()
})

test('a search that nobody understands says how one is written', async () => {
  const { page, url } = opened
  await page.goto(`${url}/ledger?q=hello`)
  await page.getByText('QUERY_UNREADABLE').first().waitFor()
})

test('thousands of entries are verified in the browser, and said in one sentence', async (t) => {
  const sentence = await verify()
  const said = `valid ${MANY} entries, unbroken, root matches checkpoint .{4}….{6}, up to `
  assert.match(sentence, new RegExp(said))
  assert.match(sentence, /signed by key checkpoint-[0-9a-f]{16} \(not pinned/)
  const took = await opened.page.getByText(/^checked in this browser in/).innerText()
  t.diagnostic(took)
})

test('the log that was seen is pinned', async () => {
  const { page } = opened
  await page.getByRole('button', { name: 'Pin this log' }).click()
  const pins = page.getByRole('region', { name: 'pins' })
  await pins.getByText(new RegExp(`checkpoint over ${MANY.replace(',', '')} entries`)).waitFor()
})

test('a tampered entry is pointed at, with what was expected and what was found', async (t) => {
  await scrubWhole(opened.runtime)
  tamper(t, opened.runtime)
  const sentence = await verify()
  const said = `not valid ${MANY} entries, broken at entry ${FULL ? '1,711' : '711'}: PAYLOAD_HASH`
  assert.match(sentence, new RegExp(said))
  const bad = opened.page.getByRole('region', { name: 'the first bad entry' })
  const text = await bad.innerText()
  assert.match(text, /expected\s+sha256:[0-9a-f]{64}/)
  assert.match(text, /found\s+sha256:[0-9a-f]{64}/)
  assert.equal(await bad.evaluate((element) => element === document.activeElement), true)
})

/** Nobody looks at what stands there for another hour: the server does not find it by itself. */
async function scrubWhole({ engine }: Runtime): Promise<void> {
  while ((await engine.scrub()).passes === 0);
}

/** One character of one payload, as somebody with the database could change it. */
function tamper(t: TestContext, runtime: Runtime): void {
  const { store } = runtime.engine.context
  const asStored = store.listLeaves.bind(store)
  t.mock.method(store, 'listLeaves', async (from: number, limit: number) =>
    (await asStored(from, limit)).map((entry) =>
      entry.leaf === TAMPERED
        ? { ...entry, payload: (entry.payload ?? '').replace('"salt":"', '"salt":"0') }
        : entry,
    ),
  )
}

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(
    opened.errors.filter((error) => !error.includes('400')),
    [],
  )
  assert.deepEqual(opened.foreign, [])
})

test('with the server stopped, a bundle that is dropped verifies and is shown as a flow', async () => {
  const { page, url, runtime, stopServer } = opened
  const bundle = await exportBundle(runtime.store, sha256, dfid)
  assert.ok(bundle.ok)
  // Whoever looks at something else when the server goes can still check a file.
  const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto(`${url}/inbox`)])
  await page.getByRole('banner').waitFor()
  // It answers once it is loaded.
  await worker.evaluate(() => 1)
  await stopServer()
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.locator('.ledger').waitFor()
  await dropFile(page, '.ledger', 'flow.json', bundle.value)
  const sentence = await verified()
  const said = `valid \\d+ entries, each proven to be in the log of ${MANY} entries`
  assert.match(sentence, new RegExp(said))
  assert.match(sentence, /\(trusted: pinned by you on \d{4}-\d{2}-\d{2}\)/)
  const flow = page.getByRole('region', { name: 'the flow of the bundle' })
  await flow
    .getByText(/REFUND .*o_0/)
    .first()
    .waitFor()

  const changed = bundle.value.replace('"20.00"', '"90.00"')
  await dropFile(page, '.ledger', 'changed.json', changed)
  await page.getByText('changed.json').waitFor()
  assert.match(await verified(), /not valid \d+ entries, broken at entry \d+: PAYLOAD_HASH/)
  await dropFile(page, '.ledger', 'strange.json', '{"hello": "world"}')
  await page.getByText(/strange\.json could not be checked: it is not a ledger/).waitFor()
})
