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

async function open(id: string): Promise<void> {
  const { page, url } = opened
  await page.goto(`${url}/inbox/${encodeURIComponent(id)}?in=fast`)
  await page.getByRole('article', { name: 'the request' }).waitFor()
}

async function claimant(id: string): Promise<string | null> {
  const brief = await opened.runtime.engine.oversight.brief(id, BEN)
  return brief?.claimed?.by ?? null
}

const request = () => opened.page.getByRole('article', { name: 'the request' })
const row = (name: RegExp) => opened.page.getByRole('row', { name })

test('one key claims a request, and the same key gives it back', async () => {
  const { page, want } = opened
  const id = await want('1500')
  await open(id)
  await request().getByText('Nobody has claimed').waitFor()
  await page.keyboard.press('c')
  await request().getByText('claimed by you').waitFor()
  await row(/usd 1500.*claimed by you/).waitFor()
  assert.notEqual(await claimant(id), null)
  await page.keyboard.press('c')
  await request().getByText('Nobody has claimed').waitFor()
  assert.equal(await claimant(id), null)
})

test('what somebody else claims is said where it stands, and is the team\u2019s', async () => {
  const { page, want, runtime, url } = opened
  const id = await want('1600')
  await page.goto(`${url}/inbox?in=fast`)
  await row(/usd 1600/).waitFor()
  assert.ok((await runtime.engine.oversight.claimEscalation(id, BEN)).ok)
  await row(/usd 1600.*claimed by ben/).waitFor()
  await page.getByRole('link', { name: /^Team 1/ }).click()
  await row(/usd 1600.*claimed by ben/).waitFor()
})

test('it is taken over, and ended, by whoever may decide', async () => {
  const { page, want, runtime } = opened
  const id = await want('1700')
  assert.ok((await runtime.engine.oversight.claimEscalation(id, BEN)).ok)
  await open(id)
  await page.getByRole('button', { name: /^Take over/ }).waitFor()
  await page.keyboard.press('c')
  await request().getByText('claimed by you').waitFor()
  const taken = (await claimant(id)) ?? assert.fail('nobody has it')
  assert.notEqual(taken, 'ben')
  assert.ok((await runtime.engine.oversight.claimEscalation(id, BEN, taken)).ok)
  await page.getByRole('button', { name: 'Release', exact: true }).click()
  await request().getByText('Nobody has claimed').waitFor()
})

test('deciding what somebody else looks after asks once, and is not refused', async () => {
  const { page, want, runtime, bought } = opened
  const id = await want('1800')
  assert.ok((await runtime.engine.oversight.claimEscalation(id, BEN)).ok)
  await open(id)
  await request().getByText('claimed by ben').waitFor()
  const decide = async (): Promise<void> => {
    await page.keyboard.press('a')
    await page.keyboard.type('paper is out')
    await page.keyboard.press('Enter')
  }
  await decide()
  const asks = page.getByRole('dialog', { name: 'Decide anyway?' })
  await asks.getByText(/ben claimed this/).waitFor()
  await asks.getByRole('button', { name: 'Leave it to ben' }).click()
  await asks.waitFor({ state: 'hidden' })
  assert.deepEqual(bought, [])
  await page.keyboard.press('Enter')
  await asks.getByRole('button', { name: /^Approve anyway/ }).click()
  await page.getByText('it ran: success').waitFor()
  assert.deepEqual(bought, ['1800'])
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
