import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Contract } from 'rubicon-kernel'
import { issueToken } from '../../../server/src/people/issue-token.ts'
import { openPurchases, type Purchases } from './purchases.test-support.ts'

let opened: Purchases
/** Shorter than a session. */
const WINDOW_MS = 300_000
const BEN = { name: 'ben', approver: true }

function alone({ parent_agent: _, ...contract }: Contract): Contract {
  const { safety_rules } = contract
  const quick = { escalations_per_hour: 100, approval_window_s: WINDOW_MS / 1_000 }
  return { ...contract, safety_rules: { ...safety_rules, ...quick } }
}

before(async () => {
  opened = await openPurchases(alone)
  const { runtime } = opened
  await runtime.person(BEN.name)
  const { stateDirectory, tenant } = runtime.place
  issueToken({ name: BEN.name, roles: ['approver'], tenants: [tenant] }, { stateDirectory })
})
after(() => opened.close())

const request = () => opened.page.getByRole('article', { name: 'the request' })

async function open(id: string): Promise<void> {
  const { page, url } = opened
  await page.goto(`${url}/inbox/${encodeURIComponent(id)}?in=fast`)
  await request().waitFor()
}

test('people talk about a request: by a key, as text, and others see it', async () => {
  const { page, want, runtime } = opened
  const id = await want('1500')
  await open(id)
  await page.keyboard.press('m')
  await page.keyboard.type('Who knows <b>this</b> shop?')
  await page.keyboard.press('Control+Enter')
  const comments = request().getByRole('region', { name: 'comments' })
  await comments.getByText('Who knows <b>this</b> shop?').waitFor()
  assert.equal(await comments.locator('b').count(), 0)
  const said = await runtime.engine.oversight.addComment(id, BEN, 'I do \u202e evil')
  assert.ok(said.ok)
  await comments.getByText('\\u{202e}').waitFor()
  await comments.getByText('ben').waitFor()
  await page.keyboard.press('Escape')
  const brief = await runtime.engine.oversight.brief(id, BEN)
  assert.deepEqual(
    brief?.comments.map(({ yours }) => yours),
    [false, true],
  )
})

test('what somebody types and has not sent outlives a reload', async () => {
  const { page, want } = opened
  const id = await want('1550')
  await open(id)
  await page.getByLabel('your comment').fill('half a sen')
  await page.reload()
  await request().waitFor()
  assert.equal(await page.getByLabel('your comment').inputValue(), 'half a sen')
})

test('a request is given to somebody, who has it until it is over', async () => {
  const { page, want, runtime } = opened
  const id = await want('1600')
  await open(id)
  await page.keyboard.press('i')
  const asks = page.getByRole('dialog', { name: 'Assign' })
  await asks.getByLabel('who looks after it').fill('ben')
  await page.keyboard.press('Enter')
  await request().getByText('given to ben').waitFor()
  const brief = await runtime.engine.oversight.brief(id, BEN)
  assert.equal(brief?.claimed?.yours, true)
  assert.equal(brief?.claimed?.until, brief?.expires_at)
  await page.getByRole('row', { name: /usd 1600.*given to ben/ }).waitFor()
})

test('what has expired says what to do, and what was decided leads to its flow', async () => {
  const { want, ahead, runtime } = opened
  const id = await want('1700')
  await open(id)
  ahead(WINDOW_MS)
  await runtime.engine.runDue()
  await request().getByText('let purchase_agent propose it in a new flow').waitFor()
  assert.equal(await request().getByRole('link', { name: 'Open the flow' }).isVisible(), true)
  assert.equal(
    await request()
      .getByRole('button', { name: /^Approve/ })
      .count(),
    0,
  )
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
