/** What did the world look like then? */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Capability, Runtime } from 'rubicon-runtime'
import { goByKeys } from './chord.test-support.ts'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { contract } from './refunds.test-support.ts'

/** Sets the amount of an order. */
const setting: Capability = {
  kind: 'REFUND',
  effect: 'keyed',
  risk: 'low',
  params: {
    type: 'object',
    properties: {
      order: { type: 'string' },
      amount: { type: 'string' },
      version: { type: 'integer' },
    },
    required: ['order', 'amount', 'version'],
    additionalProperties: false,
  },
  measures: { refund_usd: () => '1.00' },
  execute({ params: { order, amount = null, version } }) {
    const on = { kind: 'order', id: String(order) }
    const expected_version = Number(version)
    const op =
      expected_version === 0
        ? ({ op: 'create', ...on, value: amount } as const)
        : ({ op: 'replace', ...on, expected_version, value: amount } as const)
    return { result: null, delta: [op] }
  },
}

async function set(runtime: Runtime, order: string, amount: string, version = 0): Promise<void> {
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: `${order} ${amount}` })
  await flow.propose({ policy_kind: 'REFUND', params: { order, amount, version } })
}

let opened: OpenConsole

/** Entries of main: 0 root; then writ, dispatch, commit: o_1 at 3, o_2 at 6, o_1 again at 9. */
before(async () => {
  opened = await openConsole({
    runtime: { capabilities: [setting] },
    async seed(runtime) {
      await runtime.deploy(contract())
      await set(runtime, 'o_1', 'first')
      await set(runtime, 'o_2', 'second')
      await set(runtime, 'o_1', 'third', 1)
    },
  })
})
after(() => opened.close())

async function rows(): Promise<readonly string[]> {
  const table = opened.page.getByRole('table', { name: 'resources' })
  const texts = await table.locator('tbody tr').allInnerTexts()
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

async function atEntry(seq: number): Promise<void> {
  await opened.page.locator('.moment strong', { hasText: new RegExp(`^${seq}$`) }).waitFor()
}

test('the page begins live, at the last entry', async () => {
  const { page } = opened
  await goByKeys(page, 'w', '/world')
  await atEntry(9)
  assert.deepEqual(await rows(), ['order o_1 third 2', 'order o_2 second 1'])
  await page.locator('.moment .status', { hasText: 'live' }).waitFor()
})

test('keys go entry by entry; every resource stays in its place, and what changed is marked', async () => {
  const { page } = opened
  await page.keyboard.press('ArrowLeft')
  await atEntry(8)
  await page.getByText('● changed').waitFor()
  assert.deepEqual(await rows(), ['order o_1 ● changed first 1', 'order o_2 second 1'])
  assert.match(page.url(), /at=8/)
  await page.keyboard.press('ArrowRight')
  await atEntry(9)
})

test('an address holds a moment', async () => {
  const { page, url } = opened
  await page.goto(`${url}/world?at=4`)
  await atEntry(4)
  assert.deepEqual(await rows(), ['order o_1 first 1', 'order o_2 did not exist yet'])
  await page.goto(`${url}/world/main?at=400`)
  await page.getByText('ENTRY_UNKNOWN').first().waitFor()
})

test('two moments are compared', async () => {
  const { page, url } = opened
  await page.goto(`${url}/world?at=4`)
  await page.getByRole('button', { name: 'Compare with another moment' }).click()
  await page.getByRole('button', { name: 'Live' }).click()
  await atEntry(9)
  await page.getByRole('columnheader', { name: 'then' }).waitFor()
  assert.deepEqual(await rows(), [
    'order o_1 ● changed first third',
    'order o_2 ● changed did not exist yet second',
  ])
  assert.match(page.url(), /since=4/)
})

test('a resource leads to the entries and flows that changed it', async () => {
  const { page, url } = opened
  await page.goto(`${url}/world`)
  await page.getByRole('link', { name: /o_1/ }).click()
  const detail = page.getByRole('region', { name: 'detail' })
  await detail.getByRole('link', { name: 'entry 9' }).waitFor()
  await detail.getByRole('link', { name: 'entry 3' }).click()
  await atEntry(3)
  await detail.getByRole('link', { name: 'in the ledger' }).first().click()
  await page.getByRole('heading', { name: /commit/ }).waitFor()
})

test('it plays to the end by itself', async () => {
  const { page, url } = opened
  await page.goto(`${url}/world?at=7`)
  await atEntry(7)
  await page.getByRole('button', { name: 'Play' }).click()
  await atEntry(9)
  await page.getByRole('button', { name: 'Play' }).waitFor()
})

test('live, what is committed meanwhile is shown', async () => {
  const { page, url, runtime } = opened
  await page.goto(`${url}/world`)
  await atEntry(9)
  await set(runtime, 'o_3', 'fourth')
  await page.getByRole('row', { name: /o_3/ }).waitFor()
})

test('live, what changed a resource stays while others are committed and the server looks for more', async () => {
  const { page, url, runtime } = opened
  await page.goto(`${url}/world?thing=order/o_1`)
  const detail = page.getByRole('region', { name: 'detail' })
  await detail.getByRole('link', { name: 'entry 9' }).waitFor()
  const changes = '**/v1/trajectories/main/changes?**'
  await page.route(changes, () => {})
  await set(runtime, 'o_4', 'fifth')
  await page.getByRole('row', { name: /o_4/ }).waitFor()
  assert.equal(await detail.getByRole('link', { name: 'entry 9' }).count(), 1)
  await page.unroute(changes)
  await set(runtime, 'o_1', 'sixth', 2)
  await detail.getByRole('button', { name: /^1 new/ }).click()
  await detail.getByRole('link', { name: 'entry 18' }).waitFor()
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(
    opened.errors.filter((error) => !error.includes('404')),
    [],
  )
  assert.deepEqual(opened.foreign, [])
})
