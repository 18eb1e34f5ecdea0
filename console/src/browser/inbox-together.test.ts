import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Contract } from 'rubicon-kernel'
import { openPurchases, type Purchases } from './purchases.test-support.ts'

let opened: Purchases
const BEN = { name: 'ben', approver: true }

/** Nobody above the buyer, so that small purchases reach a person too. */
function alone({ parent_agent: _, ...contract }: Contract): Contract {
  return { ...contract, safety_rules: { ...contract.safety_rules, escalations_per_hour: 100 } }
}

before(async () => {
  opened = await openPurchases(alone)
  await opened.runtime.person(BEN.name)
})
after(() => opened.close())

const row = (name: RegExp) => opened.page.getByRole('row', { name })
const bar = () => opened.page.getByRole('region', { name: 'selected requests' })
const dialog = (name: string) => opened.page.getByRole('dialog', { name })

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await opened.page.keyboard.press(key)
}

async function rejectAs(id: string): Promise<void> {
  const { oversight } = opened.runtime.engine
  const { binds } = (await oversight.brief(id, BEN)) ?? assert.fail(id)
  const { intent_digest, shown_snapshot } = binds
  const abort = { decision: 'ABORT', intent_digest, shown_snapshot, lifts: [] } as const
  const by = { kind: 'person', principal: BEN.name } as const
  const said = await oversight.decideEscalation(id, { ...abort, justification: 'no' }, by)
  assert.ok(said.ok, JSON.stringify(said))
}

test('three of one account are approved by keys with one reason, each by itself', async () => {
  const { page, url, want, bought, runtime } = opened
  for (const usd of ['1500', '1600', '1700']) await want(usd)
  await page.goto(`${url}/inbox?in=fast`)
  await row(/usd 1700/).waitFor()
  await press('j', 'x', 'j', 'j', 'X')
  await bar().getByText('3 selected').waitFor()
  assert.match(await bar().innerText(), /4,800\s+usd/)
  await press('A')
  const asks = dialog('Approve together')
  const items = asks.getByRole('list', { name: 'what is decided' }).getByRole('listitem')
  await items.getByRole('row', { name: /purchases spent 0 → 1,700 USD/ }).waitFor()
  const send = asks.getByRole('button', { name: 'Approve 3' })
  assert.equal(await send.isDisabled(), true, 'nobody has given a reason')
  await page.keyboard.type('office supplies of this week')
  await press('Enter')
  await asks.getByText('3 of 3 decided.').waitFor()
  assert.equal(await asks.getByText('it ran: success').count(), 3)
  assert.deepEqual(bought, ['1500', '1600', '1700'])
  const closed = await runtime.engine.oversight.escalations({ state: 'closed' })
  assert.deepEqual(
    closed.map(({ ended }) => ended),
    ['released', 'released', 'released'],
  )
  await asks.getByRole('button', { name: 'Done' }).click()
  await asks.waitFor({ state: 'hidden' })
  await bar().waitFor({ state: 'detached' })
})

test('a hash is shown by both of its ends, in one line, and whole in its title', async () => {
  const { page, url, want } = opened
  const id = await want('1800')
  const hash = '0a1b'.repeat(16)
  await page.route('**/v1/escalations/*/brief', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    const effect = { ...body.effect, params: { ...body.effect.params, plan: hash } }
    const json = { ...body, object: `plan ${hash}`, effect }
    await route.fulfill({ response: answer, json })
  })
  await page.goto(`${url}/inbox?in=fast`)
  await row(/usd 1800/).waitFor()
  await press('j', 'x', 'A')
  const asks = dialog('Approve together')
  const shown = asks.getByText('0a1b0a1b0a1b…0a1b0a1b0a1b')
  await shown.first().waitFor()
  assert.equal(await shown.count(), 2)
  for (const one of await shown.all()) {
    assert.equal(await one.getAttribute('title'), hash)
    assert.ok(((await one.boundingBox()) ?? assert.fail()).height < 24)
  }
  assert.equal(await asks.getByText(hash).count(), 0)
  assert.equal(await asks.getByRole('button', { name: /^copy 0a1b/ }).count(), 1)
  await press('Escape')
  await page.unroute('**/v1/escalations/*/brief')
  await rejectAs(id)
})

test('keys lead to the fast track, which begins with the least at stake, and select row after row', async () => {
  const { page, url, want } = opened
  for (const usd of ['1450', '1250', '1350']) await want(usd)
  await page.goto(`${url}/agents`)
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await press('g', 'q')
  await row(/usd 1450/).waitFor()
  const listed = await page.locator('.request-title').allInnerTexts()
  assert.deepEqual(
    listed.map((text) => /1[0-9]50/.exec(text)?.[0]),
    ['1250', '1350', '1450'],
  )
  await press('J', 'J')
  await bar().getByText('2 selected').waitFor()
  assert.match(await bar().innerText(), /2,600\s+usd/)
  await press('R')
  await dialog('Reject together').getByRole('button', { name: 'Reject 2' }).waitFor()
  await page.keyboard.type('not this month')
  await press('Control+Enter')
  await dialog('Reject together').getByText('2 of 2 decided.').waitFor()
  await dialog('Reject together').getByRole('button', { name: 'Done' }).click()
  await press('g', 'n')
  const asks = page.getByRole('region', { name: 'detail' })
  await asks
    .getByText(/1,?450/)
    .first()
    .waitFor()
  await press('r')
  await page.keyboard.type('nor this one')
  await press('Enter')
  await dialog('Reject').waitFor({ state: 'hidden' })
})

test('what has a high impact cannot be selected, and is not in a group that is', async () => {
  const { page, url, want } = opened
  const high = await want('9000')
  const low = await want('1100')
  await page.goto(`${url}/inbox?words=wanted&group=agent`)
  await row(/usd 9000/).waitFor()
  assert.equal(
    await row(/usd 9000/)
      .getByRole('checkbox')
      .count(),
    0,
  )
  await page.getByRole('checkbox', { name: 'select all of purchase_agent' }).check()
  await bar().getByText('1 selected').waitFor()
  await page.goto(`${url}/inbox/${encodeURIComponent(high)}`)
  await page.getByRole('article', { name: 'the request' }).waitFor()
  await press('x', 'A')
  assert.equal(await bar().count(), 0)
  assert.equal(await dialog('Approve together').count(), 0)
  await rejectAs(high)
  await rejectAs(low)
})

test('one that somebody else decides between the list and the reason is left out, and the other runs', async () => {
  const { page, url, want, bought } = opened
  const other = await want('1200')
  await want('1300')
  await page.goto(`${url}/inbox?in=fast`)
  await row(/usd 1300/).waitFor()
  await page.getByRole('checkbox', { name: 'select all' }).check()
  await bar()
    .getByRole('button', { name: /^Approve/ })
    .click()
  const asks = dialog('Approve together')
  await asks.getByRole('button', { name: 'Approve 2' }).waitFor()
  await rejectAs(other)
  await asks.getByLabel(/your reason/).fill('both are needed')
  await press('Enter')
  await asks.getByText('1 of 2 decided.').waitFor()
  await asks.getByText('It is decided already.').waitFor()
  assert.equal(bought.at(-1), '1300')
  await asks.getByRole('button', { name: 'Done' }).click()
})

test('a fact that somebody else moves stops what it is about, and it can be looked at again', async () => {
  const { page, url, want, bought, runtime } = opened
  await want('1400')
  await page.goto(`${url}/inbox?in=fast`)
  await row(/usd 1400/)
    .getByRole('checkbox')
    .check()
  await press('A')
  const asks = dialog('Approve together')
  await asks.getByRole('button', { name: 'Approve 1' }).waitFor()
  const quick = await runtime.open({ agent: 'purchase_agent', trigger: 'small' })
  await quick.propose({ policy_kind: 'PURCHASE', params: { usd: '10' } })
  await asks.getByLabel(/your reason/).fill('it is needed')
  await press('Enter')
  await asks.getByText('0 of 1 decided.').waitFor()
  assert.match(await asks.innerText(), /account\/purchases.*→/)
  assert.equal(bought.at(-1), '10')
  await asks.getByRole('button', { name: 'Review 1 that changed' }).click()
  await asks.getByRole('button', { name: 'Approve 1' }).waitFor()
  await asks.getByLabel(/your reason/).fill('still needed')
  await press('Enter')
  await asks.getByText('1 of 1 decided.').waitFor()
  assert.equal(bought.at(-1), '1400')
  await asks.getByRole('button', { name: 'Done' }).click()
})

test('several are rejected together, and nothing is sent', async () => {
  const { page, url, want, bought } = opened
  const before = bought.length
  await want('1510')
  await want('1520')
  await page.goto(`${url}/inbox?in=fast`)
  await row(/usd 1520/).waitFor()
  await row(/usd 1510/)
    .getByRole('checkbox')
    .check()
  const all = page.getByRole('checkbox', { name: 'select all' })
  await all.check()
  await bar().getByText('2 selected').waitFor()
  await all.uncheck()
  await bar().waitFor({ state: 'detached' })
  await all.check()
  await press('R')
  const asks = dialog('Reject together')
  await asks.getByText('Their flows end, and nothing is sent.').waitFor()
  await asks.getByLabel(/your reason/).fill('not this month')
  await press('Enter')
  await asks.getByText('2 of 2 decided.').waitFor()
  assert.equal(await asks.getByText('rejected: the flow has ended').count(), 2)
  assert.equal(bought.length, before)
  await asks.getByRole('button', { name: 'Done' }).click()
})

test('two people decide the same ones at once: each is decided once, and both are told', async () => {
  const { page, url, want, bought, runtime } = opened
  const before = bought.length
  const usd = ['1010', '1020', '1030', '1040', '1050']
  const ids: string[] = []
  for (const one of usd) ids.push(await want(one))
  await page.goto(`${url}/inbox?in=fast`)
  await row(/usd 1050/).waitFor()
  await page.getByRole('checkbox', { name: 'select all' }).check()
  await press('A')
  const asks = dialog('Approve together')
  await asks.getByRole('button', { name: 'Approve 5' }).waitFor()
  await asks.getByLabel(/your reason/).fill('all of them')
  await press('Enter')
  const { oversight } = runtime.engine
  for (const id of ids.toReversed()) {
    const { binds, state } = (await oversight.brief(id, BEN)) ?? assert.fail(id)
    if (state !== 'open') continue
    const { intent_digest, shown_snapshot } = binds
    const abort = { decision: 'ABORT', intent_digest, shown_snapshot, lifts: [] } as const
    const by = { kind: 'person', principal: BEN.name } as const
    await oversight.decideEscalation(id, { ...abort, justification: 'none of them' }, by)
  }
  const done = asks.getByText(/\d of 5 decided\./)
  await done.waitFor()
  const closed = await Promise.all(
    ids.map(async (id) => (await oversight.escalation(id))?.ended?.as),
  )
  const released = closed.filter((as) => as === 'released').length
  assert.equal(released + closed.filter((as) => as === 'aborted').length, 5)
  assert.equal(bought.length - before, released)
  assert.equal(await done.innerText(), `${released} of 5 decided.`)
  await asks.getByRole('button', { name: 'Done' }).click()
})

test('a dialog that is closed decides no further', async () => {
  const { page, url, want, bought, context } = opened
  const before = bought.length
  for (const usd of ['1060', '1070', '1080']) await want(usd)
  await page.goto(`${url}/inbox?in=fast`)
  await row(/usd 1080/).waitFor()
  await page.getByRole('checkbox', { name: 'select all' }).check()
  await press('A')
  const asks = dialog('Approve together')
  await asks.getByRole('button', { name: 'Approve 3' }).waitFor()
  await asks.getByLabel(/your reason/).fill('one of them')
  // The first answer is held back until the dialog is closed.
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const decision = page.waitForRequest(/\/decision$/)
  await context.route(/\/decision$/, async (route) => {
    await held
    await route.continue()
  })
  await press('Enter')
  await decision
  await page.keyboard.press('Escape')
  release()
  await page.getByText('1 of 3 decided; the rest were not sent.').waitFor()
  await context.unroute(/\/decision$/)
  assert.equal(bought.length - before, 1)
  await page.goto(`${url}/inbox?in=fast`)
  await row(/usd 1080/).waitFor()
  await page.getByRole('checkbox', { name: 'select all' }).check()
  await press('R')
  const ends = dialog('Reject together')
  await ends.getByLabel(/your reason/).fill('clean up')
  await press('Enter')
  await ends.getByText('2 of 2 decided.').waitFor()
  await ends.getByRole('button', { name: 'Done' }).click()
})

test('groups and orders stand in the address', async () => {
  const { page, url, want } = opened
  for (const usd of ['1300', '1900', '1600']) await want(usd)
  await page.goto(`${url}/inbox?in=fast`)
  await row(/usd 1600/).waitFor()
  const listed = async (): Promise<readonly string[]> =>
    (await page.locator('.request-title').allInnerTexts()).map((text) => text.trim())
  await page.getByLabel('Sort').selectOption({ label: 'Most at stake' })
  await page.waitForURL(/sort=-amount/)
  await page.getByText('PURCHASE usd 1900').first().waitFor()
  await page.waitForFunction(() =>
    document.querySelector('.request-title')?.textContent?.includes('1900'),
  )
  assert.deepEqual(await listed(), ['PURCHASE usd 1900', 'PURCHASE usd 1600', 'PURCHASE usd 1300'])
  await page.getByLabel('Group').selectOption({ label: 'Reason' })
  await page.getByRole('rowheader', { name: /AUTHORITY_CEILING 3/ }).waitFor()
  await page.reload()
  await page.getByRole('rowheader', { name: /AUTHORITY_CEILING 3/ }).waitFor()
  assert.deepEqual(await listed(), ['PURCHASE usd 1900', 'PURCHASE usd 1600', 'PURCHASE usd 1300'])
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  // Of two people who decide at once, one is told that the other has.
  const told = opened.errors.filter((error) => !error.includes(' 409 '))
  assert.deepEqual(told, [])
  assert.deepEqual(opened.foreign, [])
})
