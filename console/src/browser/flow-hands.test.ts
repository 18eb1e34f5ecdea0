/** What people do to a flow itself: cancel it, and settle what was left half done. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  buy,
  deskContract,
  marketCapability,
  newMarket,
  sell,
  traderContract,
} from '../../../runtime/src/engine/compensate/saga-stage.test-support.ts'
import { type OpenConsole, openConsole } from './console.test-support.ts'

const market = newMarket()
let opened: OpenConsole
let half = ''
let idle = ''

before(async () => {
  opened = await openConsole({
    runtime: { capabilities: [marketCapability(market, 'SELL'), marketCapability(market, 'BUY')] },
    async seed(runtime) {
      await runtime.deploy(deskContract())
      await runtime.deploy(traderContract())
      const open = (trigger: string) => runtime.open({ agent: 'trader', trigger, steps: 'many' })
      idle = (await open('nobody waits for this')).dfid
      const flow = await open('rotate the book')
      half = flow.dfid
      await sell(flow)
      market.does = { BUY: 'refuse' }
      await buy(flow)
    },
  })
})
after(() => opened.close())

test('an operator cancels a flow of which nothing was sent, with a reason', async () => {
  const { page, url, runtime } = opened
  await page.goto(`${url}/flows/${idle}`)
  await page.getByRole('button', { name: 'Cancel the flow…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel the flow' })
  const button = dialog.getByRole('button', { name: 'Cancel the flow' })
  assert.equal(await button.isDisabled(), true)
  await dialog.getByLabel('Reason').fill('the order was withdrawn')
  await button.click()
  await page.getByText('The flow is cancelled.').waitFor()
  await page.getByRole('button', { name: 'Cancel the flow…' }).waitFor({ state: 'detached' })
  assert.equal((await runtime.store.readFlow(idle))?.state, 'ABORTED')
})

test('a person settles a flow that is half done; it cannot be cancelled', async () => {
  const { page, url, runtime } = opened
  await page.goto(`${url}/flows/${half}`)
  const section = page.getByRole('region', { name: 'half done' })
  await section.getByRole('radio', { name: /It stays as it is/ }).check()
  assert.equal(await page.getByRole('button', { name: 'Cancel the flow…' }).count(), 0)
  await section.getByLabel(/^Evidence/).fill('ticket t-9')
  await section.getByLabel('Reason').fill('the book is fine as it stands')
  await section.getByRole('button', { name: 'Settle the flow' }).click()
  await section.waitFor({ state: 'detached' })
  assert.deepEqual((await runtime.store.readFlow(half))?.tags, [])
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
