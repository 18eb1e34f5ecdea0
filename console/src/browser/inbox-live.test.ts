import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Contract, LIMITS } from 'rubicon-kernel'
import { openPurchases, type Purchases } from './purchases.test-support.ts'

let opened: Purchases

/** Nobody above the buyer, so that small purchases reach a person too. */
function alone({ parent_agent: _, ...contract }: Contract): Contract {
  const { safety_rules } = contract
  return { ...contract, safety_rules: { ...safety_rules, escalations_per_hour: 100 } }
}

before(async () => {
  opened = await openPurchases(alone)
  await opened.runtime.person('ben')
})
after(() => opened.close())

async function open(id: string, tab = ''): Promise<void> {
  const { page, url } = opened
  await page.goto(`${url}/inbox/${encodeURIComponent(id)}${tab === '' ? '' : `?in=${tab}`}`)
  await page.getByRole('article', { name: 'the request' }).waitFor()
}

const approve = () => opened.page.getByRole('button', { name: /^Approve/ })
const reason = () => opened.page.getByLabel('reason')
const words = () => opened.page.getByLabel(/to confirm/)

test('the fast track takes one key and a reason of one’s own, then shows the next one', async () => {
  const { page, want, bought, url } = opened
  await want('1500')
  await want('1600')
  await page.goto(`${url}/inbox`)
  const told = page.getByText('2 requests of low impact wait')
  await told.getByRole('link', { name: 'Fast track' }).click()
  await page.getByRole('row', { name: /usd 1600/ }).waitFor()
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await approve().waitFor()
  for (const key of ['a', 'Enter']) await page.keyboard.press(key)
  assert.equal(await approve().isDisabled(), true, 'nobody has given a reason')
  assert.equal(await reason().inputValue(), '', 'and none is given for them')
  await page.keyboard.type('paper is out')
  await page.keyboard.press('Enter')
  await page.getByText('it ran: success').waitFor()
  assert.deepEqual(bought, ['1500'])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /usd 1600/ }).waitFor()
  await approve().waitFor()
  await page.keyboard.press('a')
  await page.keyboard.type('ink is out')
  await page.keyboard.press('Enter')
  await page.getByText('it ran: success').waitFor()
  assert.deepEqual(bought, ['1500', '1600'])
})

test('a fact that moves while somebody reads is named, and has to be looked at', async () => {
  const { page, want, ahead, bought, runtime } = opened
  const id = await want('5000')
  ahead(LIMITS.highImpactDwellMs)
  await open(id)
  await words().fill('PURCHASE 5000')
  await reason().fill('it is needed')
  await approve().and(page.locator(':enabled')).waitFor()
  // Somebody else lets a purchase go meanwhile.
  const other = await want('1700')
  const { binds, now } =
    (await runtime.engine.oversight.brief(other, {
      name: 'ben',
      approver: true,
    })) ?? assert.fail()
  const { intent_digest, shown_snapshot, lifts } = binds
  const decided = await runtime.engine.oversight.decideEscalation(
    other,
    {
      decision: 'OVERRIDE',
      ...{ intent_digest, shown_snapshot, lifts },
      valid_until: new Date(Date.parse(now) + 60_000).toISOString(),
      justification: 'small',
    },
    { kind: 'person', principal: 'ben' },
  )
  assert.ok(decided.ok)
  const moved = page.getByRole('alert').filter({ hasText: 'Facts have changed' })
  await moved.waitFor()
  assert.match(await moved.innerText(), /account\/purchases.*3100.*→.*4800/)
  assert.equal(await approve().count(), 0)
  const review = page.getByRole('button', { name: /Review changes/ })
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await review.waitFor({ state: 'detached' })
  assert.equal(await words().inputValue(), 'PURCHASE 5000', 'what was typed is still there')
  await page.getByRole('row', { name: /4,800 → 9,800/ }).waitFor()
  await approve().click()
  await page.getByText('it ran: success').waitFor()
  assert.equal(bought.at(-1), '5000')
})

test('a decision on facts that moved a moment ago is refused, and they are shown', async () => {
  const { page, want, ahead, runtime } = opened
  const id = await want('3000')
  ahead(LIMITS.highImpactDwellMs)
  await open(id)
  await words().fill('PURCHASE 3000')
  await reason().fill('it is needed')
  await approve().and(page.locator(':enabled')).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  const quick = await runtime.open({ agent: 'purchase_agent', trigger: 'small' })
  await quick.propose({ policy_kind: 'PURCHASE', params: { usd: '10' } })
  await approve().click()
  await page.getByText('APPROVAL_SNAPSHOT_MISMATCH').first().waitFor()
  await page.getByRole('button', { name: /Review changes/ }).click()
  await approve().click()
  await page.getByText('it ran: success').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
})

test('what comes while somebody types gathers behind a button, and moves nothing', async () => {
  const { page, want } = opened
  const id = await want('4000')
  await open(id)
  const rows = page.getByRole('table', { name: 'requests' }).locator('tbody tr')
  await rows.first().waitFor()
  const before = await rows.allInnerTexts()
  await reason().fill('half a sen')
  await want('4100')
  await page.getByRole('button', { name: '1 new' }).waitFor()
  assert.deepEqual((await rows.allInnerTexts()).length, before.length)
  assert.equal(await reason().inputValue(), 'half a sen')
  assert.equal(
    await reason().evaluate((field) => field === document.activeElement),
    true,
    'the focus stays',
  )
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await page.getByRole('row', { name: /usd 4100/ }).waitFor()
  assert.equal(await reason().inputValue(), 'half a sen')
})

test('decided by somebody else meanwhile: it says so, and offers the next one', async () => {
  const { page, want, runtime } = opened
  const id = await want('4200')
  await open(id)
  await reason().fill('I was about to')
  const { binds } =
    (await runtime.engine.oversight.brief(id, { name: 'ben', approver: true })) ?? assert.fail()
  const { intent_digest, shown_snapshot } = binds
  const abort = { decision: 'ABORT', intent_digest, shown_snapshot, lifts: [] } as const
  await runtime.engine.oversight.decideEscalation(
    id,
    { ...abort, justification: 'not <b>this</b> month' },
    { kind: 'person', principal: 'ben' },
  )
  await page.getByText(/rejected by ben/).waitFor()
  assert.match(
    await page.getByRole('region', { name: 'what happened' }).innerText(),
    /<b>this<\/b>/,
  )
  assert.equal(await approve().count(), 0)
})

test('a session that ends costs nothing that was typed', async () => {
  const { page, want, context, token } = opened
  const id = await want('4300')
  await open(id)
  await words().fill('PURCHASE 4300')
  await reason().fill('a long and careful reason')
  await context.clearCookies()
  const over = page.getByRole('dialog', { name: 'signed out' })
  await over.getByLabel('Token').fill(token)
  await page.keyboard.press('Enter')
  await over.waitFor({ state: 'detached' })
  assert.equal(await reason().inputValue(), 'a long and careful reason')
  assert.equal(await words().inputValue(), 'PURCHASE 4300')
})

test('a server that stops: a clear message, and what was typed stays', async () => {
  const { page, stopServer } = opened
  const { errors } = opened
  const before = errors.length
  await stopServer()
  await page.getByRole('alert').filter({ hasText: 'the runtime does not answer' }).first().waitFor()
  await reason().fill('still here')
  assert.equal(await words().inputValue(), 'PURCHASE 4300')
  assert.equal(await reason().inputValue(), 'still here')
  const real = errors.slice(before).filter((text) => !/Failed to load|net::ERR/.test(text))
  assert.deepEqual(real, [])
})

test('nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.foreign, [])
})
