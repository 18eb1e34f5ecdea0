import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createPurchaseCapability } from '../../../scenarios/src/escalation.ts'
import { openPurchases, type Purchases } from './purchases.test-support.ts'

let opened: Purchases
/** Where purchases are made. */
let isClosed = false

before(async () => {
  const bought: string[] = []
  const capability = {
    ...createPurchaseCapability(bought),
    precondition: () => (isClosed ? 'closed' : null),
  }
  opened = await openPurchases(({ parent_agent: _, ...contract }) => contract, {
    runtime: { capabilities: [capability] },
  })
})
after(() => opened.close())

test('a yes that would be refused is not offered; asked again, it goes back to its agent', async () => {
  const { page, url, want, runtime, errors } = opened
  const id = await want('1500')
  await page.goto(`${url}/inbox/${encodeURIComponent(id)}?in=fast`)
  const request = page.getByRole('article', { name: 'the request' })
  await request.getByRole('button', { name: /^Approve/ }).waitFor()
  assert.equal(await request.getByRole('button', { name: /^Ask again/ }).count(), 0)
  isClosed = true
  await request.getByText('If approved now, it would be refused').waitFor()
  assert.equal(await request.getByRole('button', { name: /^Approve/ }).count(), 0)
  await request.getByRole('button', { name: /^Ask again/ }).click()
  await request.getByRole('button', { name: /^Ask again/ }).waitFor({ state: 'detached' })
  const [closed] = await runtime.engine.oversight.escalations({ state: 'closed' })
  assert.equal(closed?.ended, 'superseded')
  assert.deepEqual(errors, [])
})
