import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { openPurchases, type Purchases } from './purchases.test-support.ts'

let opened: Purchases

before(async () => {
  opened = await openPurchases()
})
after(() => opened.close())

/** By keys alone: nothing in this file uses a mouse. */
async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await opened.page.keyboard.press(key)
}

async function type(text: string): Promise<void> {
  await opened.page.keyboard.type(text)
}

const approveButton = () => opened.page.getByRole('button', { name: /^Approve/ })
const row = (words: RegExp) => opened.page.getByRole('row', { name: words })

/** Sends it past the console, as a script would. */
async function decideDirectly(id: string, change: object): Promise<string> {
  const { url, token } = opened
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const path = `${url}/v1/escalations/${encodeURIComponent(id)}`
  const brief = await (await fetch(`${path}/brief`, { headers })).json()
  const { intent_digest, shown_snapshot, lifts } = brief.binds
  const body = {
    decision: 'OVERRIDE',
    ...{ intent_digest, shown_snapshot, lifts },
    valid_until: new Date(Date.parse(brief.now) + 60_000).toISOString(),
    justification: 'by hand',
    acknowledged_impact: 'HIGH_IMPACT',
    acknowledgement: brief.acknowledge,
    ...change,
  }
  const answer = await fetch(`${path}/decision`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(body),
  })
  return (await answer.json()).code ?? 'decided'
}

test('what would happen is read first, framed red, with the agent’s words apart', async () => {
  const { page, want } = opened
  const id = await want('5000')
  await row(/PURCHASE usd 5000/).waitFor()
  await press('j', 'Enter')
  const request = page.getByRole('article', { name: 'the request' })
  await request.waitFor()
  assert.equal(new URL(page.url()).pathname, `/inbox/${encodeURIComponent(id)}`)
  assert.match((await request.getAttribute('class')) ?? '', /request-high/)
  const text = await request.innerText()
  const order = [
    'High impact',
    'Effect',
    'Reason',
    'Facts',
    'Budget',
    'Similar requests',
    'the agent says',
  ]
  const places = order.map((word) => text.indexOf(word))
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
    text,
  )
  assert.match(text, /purchases spent\s+0\s+→ 5,000 USD/)
  const sent = request.getByRole('list', { name: 'sent' })
  assert.equal(await sent.innerText(), 'usd 5000', 'also what the preview says nothing of')
  assert.match(text, /AUTHORITY_CEILING.*is 5,000; limit \S+ allows .*1,000/)
  const claims = page.getByRole('region', { name: 'the agent says' })
  assert.match(await claims.innerText(), /the desk is out of it/)
  assert.equal(await claims.locator('button').count(), 0)
})

test('HIGH_IMPACT: neither the page nor a direct request approves it without words or in haste', async () => {
  const { bought, ahead } = opened
  const [, id = ''] = /inbox\/([^?]+)/.exec(decodeURIComponent(opened.page.url())) ?? []
  assert.equal(await approveButton().isDisabled(), true)
  await press('a')
  await type('PURCHASE 500')
  await press('Tab')
  await type('it is needed')
  assert.equal(await approveButton().isDisabled(), true, 'other words')
  await press('Shift+Tab', 'End')
  await type('0')
  assert.equal(await approveButton().isDisabled(), true, 'too soon')
  assert.equal(await decideDirectly(id, {}), 'DECISION_TOO_FAST')
  ahead(LIMITS.highImpactDwellMs)
  assert.equal(await decideDirectly(id, { acknowledgement: '' }), 'IMPACT_UNACKNOWLEDGED')
  assert.equal(
    await decideDirectly(id, { acknowledged_impact: 'LOW_IMPACT' }),
    'IMPACT_UNACKNOWLEDGED',
  )
  assert.deepEqual(bought, [])
})

test('approved by keys: it runs once, and what happened is said', async () => {
  const { page, bought } = opened
  await approveButton().and(page.locator(':enabled')).waitFor()
  await press('Enter')
  await page.getByText('it ran: success').waitFor()
  assert.deepEqual(bought, ['5000'])
  assert.equal(await page.getByRole('link', { name: 'Open the flow' }).isVisible(), true)
  assert.equal(await page.locator(':focus').innerText(), 'Back to the list')
})

test('edited by keys: a form from the schema, and a new proposal that is judged', async () => {
  const { page, bought, want, ahead } = opened
  await want('4000')
  ahead(LIMITS.highImpactDwellMs)
  await page.getByRole('button', { name: 'Next request' }).waitFor()
  await press('Enter')
  await row(/PURCHASE usd 4000/).waitFor()
  await row(/purchases spent 5,000 → 9,000 USD/).waitFor()
  const similar = page.getByRole('link', { name: '1 in 30 days' })
  const listed = (await similar.getAttribute('href')) ?? ''
  assert.match(listed, /^\/inbox\?in=decided&agent=\w+&kind=PURCHASE&within=30d$/)
  await press('e')
  await page.getByText('Your edit is a new proposal').waitFor()
  assert.equal(await page.locator(':focus').inputValue(), '4000')
  await press('ControlOrMeta+a')
  await type('3000')
  await press('Enter')
  await page.getByRole('region', { name: 'what this would do' }).waitFor()
  ahead(LIMITS.highImpactDwellMs)
  await press('Tab')
  await type('PURCHASE 3000')
  await press('Tab')
  await type('half of it will do')
  await page
    .getByRole('button', { name: 'Approve this edit' })
    .and(page.locator(':enabled'))
    .waitFor()
  await press('Enter')
  await page.getByText('it ran: success').waitFor()
  assert.deepEqual(bought, ['5000', '3000'])
})

test('rejected by keys: it asks, and the flow ends', async () => {
  const { page, bought, want, runtime } = opened
  const id = await want('6000')
  await page.getByRole('button', { name: 'Next request' }).waitFor()
  await press('Enter')
  await row(/PURCHASE usd 6000/).waitFor()
  await page.getByRole('button', { name: /^Reject/ }).waitFor()
  await press('r')
  await page.getByText('The flow ends, and nothing is sent.').waitFor()
  await type('not this month')
  await press('Enter')
  await page.getByText('rejected: the flow has ended').waitFor()
  const flow = await runtime.store.readFlow(id.split(':')[0] ?? '')
  assert.equal(flow?.state, 'ABORTED')
  assert.deepEqual(bought, ['5000', '3000'])
})

test('the flow of what was approved says who decided, why, and at which stage', async () => {
  const { page, url, runtime } = opened
  const [, , first] = await runtime.store.listFlows({ limit: 3 })
  await page.goto(`${url}/flows/${first?.dfid}`)
  const detail = page.getByRole('region', { name: 'detail' })
  await detail.getByText(/by operator: it is needed/).waitFor()
  const stages = detail.getByRole('list', { name: 'stages' }).last()
  assert.match(await stages.innerText(), /preconditions ✔ approved by operator/)
  await detail.getByText('waits for a person').waitFor()
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
