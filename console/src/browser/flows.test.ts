import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, refund, seedRefunds } from './refunds.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed: seedRefunds })
})
after(() => opened.close())

test('flows are listed newest first, and opened by keys alone', async () => {
  const { page } = opened
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await page.getByRole('row', { name: /ticket 1/ }).waitFor()
  const rows = await page.getByRole('table', { name: 'flows' }).locator('tbody tr').allInnerTexts()
  assert.deepEqual(
    rows.map((row) => row.match(/ticket \d/)?.[0]),
    ['ticket 4', 'ticket 3', 'ticket 2', 'ticket 1'],
  )
  for (const key of ['j', 'j', 'j', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('heading', { name: /REFUND order o_1, amount 20000\.00/ }).waitFor()
  assert.match(page.url(), /\/flows\/[0-9a-f-]{36}/)
})

test('a refused proposal shows the stage that refused it, its code, and what was found', async () => {
  const detail = opened.page.getByRole('region', { name: 'detail' })
  await detail.getByRole('link', { name: 'LIMIT_EXCEEDED' }).waitFor()
  assert.match(await detail.getByRole('list', { name: 'stages' }).innerText(), /preconditions ✖|✖/)
  assert.match(
    await detail.locator('.attempt-why').innerText(),
    /is 20,000; limit \S+ allows 0 to 5,000/,
  )
})

test('the tabs of the list are whole beside an open flow', async () => {
  const { page } = opened
  const tabs = page.getByRole('navigation', { name: 'outcome of a decision' })
  const edge = (await tabs.boundingBox()) ?? assert.fail()
  const links = await tabs.getByRole('link').all()
  assert.equal(links.length, 6)
  for (const link of links) {
    const { x, width } = (await link.boundingBox()) ?? assert.fail()
    assert.ok(x >= edge.x && x + width <= edge.x + edge.width, await link.innerText())
  }
})

test('what the agent says stands apart', async () => {
  const claims = opened.page.getByRole('region', { name: 'the agent says' })
  assert.match(await claims.first().innerText(), /the parcel was late/)
  assert.equal(await claims.first().locator('button').count(), 0)
})

test('every view of a flow is in the address', async () => {
  const { page } = opened
  for (const view of ['Ledger entries', 'JSON']) {
    await page.getByRole('link', { name: view }).click()
    assert.match(page.url(), /view=/)
  }
  await page.goBack()
})

test('a flow that comes while somebody reads waits behind a button', async () => {
  const { page, runtime } = opened
  const first = page.getByRole('table', { name: 'flows' }).locator('tbody tr a').first()
  assert.equal(await first.innerText(), 'ticket 4')
  await refund(runtime, 'ticket 5', '1.00')
  await page.getByRole('button', { name: '1 new' }).waitFor()
  assert.equal(await first.innerText(), 'ticket 4')
  await page.getByRole('button', { name: '1 new' }).click()
  await page.getByRole('row', { name: /ticket 5/ }).waitFor()
})

test('a flow answers four questions, each one click from the entry that says so', async () => {
  const { page } = opened
  await page
    .getByRole('row', { name: /ticket 2/ })
    .getByRole('link')
    .first()
    .press('Enter')
  const detail = page.getByRole('region', { name: 'detail' })
  for (const name of ['Shown to the agent', 'What it proposed', 'What was decided'])
    await detail
      .getByRole('region', { name })
      .getByRole('link', { name: /entry \d+/ })
      .waitFor()
  const happened = detail.getByRole('region', { name: 'What happened' })
  assert.match(await happened.innerText(), /Nothing was sent: it was refused/)
  const proposed = detail.getByRole('region', { name: 'What it proposed' })
  await proposed.getByRole('link', { name: /rejection · entry/ }).click()
  await page.waitForURL(/\/ledger\/\d+/)
  await page.goBack()
  await proposed.waitFor()
})

/** A flow with two attempts, in one with three flows opened in it. */
async function openFamily({ runtime }: OpenConsole): Promise<{ root: string; tried: string }> {
  const agent = 'refunds_bot'
  const root = await runtime.open({ agent, trigger: 'a bad week', steps: 'many' })
  const children = []
  for (const n of [1, 2, 3])
    children.push(await runtime.open({ agent, trigger: `part ${n}`, parent: root.dfid }))
  const [tried] = children
  assert.ok(tried !== undefined)
  for (const amount of ['20000.00', '20.00'])
    await tried.propose({
      policy_kind: 'REFUND',
      params: { order: 'o_77', amount },
      justification: '<img src=x onerror=alert(1)>',
    })
  return { root: root.dfid, tried: tried.dfid }
}

test('a flow stands between its parent and those opened in it, on one axis of time', async () => {
  const { page, url } = opened
  const { root, tried } = await openFamily(opened)
  await page.goto(`${url}/flows/${root}`)
  const rows = page.getByRole('list', { name: 'flows and steps in time' })
  await rows.getByRole('link', { name: 'part 3' }).waitFor()
  assert.match(await rows.locator('[aria-current]').innerText(), /a bad week/)
  const links = rows.locator('.timeline-link')
  await links.first().focus()
  await page.keyboard.press('ArrowDown')
  assert.ok(await links.nth(1).evaluate((link) => link === document.activeElement))
  await rows.locator(`a[href="/flows/${tried}"]`).press('Enter')
  await page.waitForURL(new RegExp(`/flows/${tried}`))
  await rows.getByRole('link', { name: 'a bad week' }).waitFor()
  await rows.getByRole('button', { name: 'Show flows beside it' }).press('Enter')
  await rows.getByRole('link', { name: 'part 2' }).waitFor()
  await rows.getByRole('link', { name: /effect → commit/ }).waitFor()
})

test('attempts are compared by member, and what the agent wrote stays text', async () => {
  const { page } = opened
  const diff = page.getByRole('region', { name: 'difference between attempts' })
  const changed = diff.getByRole('row', { name: /params\.amount.*changed/ })
  assert.match(await changed.innerText(), /20,000\.00\s+20\.00/)
  await diff.getByRole('row', { name: /decision.*changed rejected accepted/ }).waitFor()
  const steps = page.getByRole('list', { name: 'attempts and decisions' })
  await steps.getByRole('link', { name: /attempt 1/ }).press('Enter')
  await page.waitForURL(/attempt=\d+/)
  await page
    .locator('.attempt-why')
    .getByText(/LIMIT_EXCEEDED/)
    .waitFor()
  await page.getByText('<img src=x onerror=alert(1)>').first().waitFor()
  assert.equal(await page.locator('main img').count(), 0)
})

test('what a flow writes while somebody reads it waits behind a button', async () => {
  const { page, url, runtime } = opened
  const { dfid } = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket 9' })
  await page.goto(`${url}/flows/${dfid}`)
  await page.getByText('No proposals yet.').waitFor()
  const flow = await runtime.resume(dfid)
  await flow.propose({
    policy_kind: 'REFUND',
    params: { order: 'o_9', amount: '9.00' },
    justification: 'late',
  })
  const show = page.getByRole('button', { name: /new in this flow: commit/ })
  await show.waitFor()
  await page.getByText('No proposals yet.').waitFor()
  await show.press('Enter')
  await page.getByRole('region', { name: 'What happened' }).waitFor()
  await show.waitFor({ state: 'detached' })
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
