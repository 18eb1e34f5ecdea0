/** Who was woken by what, and whose proposal was carried out? */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  DESK,
  DESK_CONTRACTS,
  PRICE,
  playDesk,
  RISK,
  SENTIMENT,
  STRATEGY,
  TOPIC,
} from '../../../server/src/http/desk.test-support.ts'
import { goByKeys } from './chord.test-support.ts'
import { type OpenConsole, openConsole, textOf } from './console.test-support.ts'

let opened: OpenConsole
let decided = ''
let halted = ''

before(async () => {
  opened = await openConsole({
    runtime: DESK,
    async seed(runtime) {
      for (const contract of DESK_CONTRACTS) await runtime.deploy(contract)
      // How much the first price moved nobody can say: it wakes everybody.
      await playDesk(runtime, '100.00', [])
      decided = await playDesk(runtime, '101.00', [
        [STRATEGY, 'BUY'],
        [RISK, 'ALERT'],
      ])
      halted = await playDesk(runtime, '104.03', [
        [STRATEGY, 'BUY'],
        [RISK, 'HALT', { reason: 'the feed is wrong' }],
      ])
    },
  })
})
after(() => opened.close())

test('the picture shows who listens to what, and whom the last event woke', async () => {
  const { page } = opened
  // Once it listens to the server it listens to keys.
  await page.locator('.top-live', { hasText: /live/ }).waitFor()
  await goByKeys(page, 'v', '/events')
  const topics = page.getByRole('list', { name: 'topics' })
  await topics.getByText(TOPIC).waitFor()
  // Events come with an answer of their own, and whom they woke with it.
  await page.locator('.mesh-edge-woken').first().waitFor({ state: 'attached' })
  const agents = await page.getByRole('list', { name: 'agents' }).getByRole('listitem').all()
  const said = await Promise.all(agents.map(textOf))
  assert.match(said[0] ?? '', new RegExp(`^${RISK}.*listens to market.*; the last event woke it`))
  assert.match(said[1] ?? '', new RegExp(`^${STRATEGY}.*the last event woke it`))
  assert.match(said[2] ?? '', new RegExp(`^${SENTIMENT}.*listens to market.\\*$`))
  assert.equal(await page.locator('.mesh-edge').count(), 3)
  assert.equal(await page.locator('.mesh-edge-woken').count(), 2)
})

test('a message that was not delivered says so, and is sent again', async () => {
  const { page, url, runtime } = opened
  const body = {
    ...{ id: 'letter-1', topic: 'market.price', message: { event_id: 'e' }, dfid: decided },
    ...{ snapshot_id: 's', attempts: 8, next_at: '2026-06-01T12:00:00.000Z', problem: 'refused' },
  }
  const row = { record: 'bus_letter', group: 'dead', key: body.id } as const
  await runtime.store.commit({ guards: [], writes: [{ kind: 'put_record', ...row, body }] })
  await page.goto(`${url}/events`)
  const letters = page.getByRole('region', { name: 'not delivered' })
  await letters.getByText('refused').waitFor()
  await letters.getByRole('button', { name: 'Send market.price again' }).click()
  await letters.waitFor({ state: 'detached' })
  assert.equal(await runtime.store.readRecord('bus_letter', 'dead', body.id), null)
})

test('an event is opened by keys, and shows who won by what and who lost to whom', async () => {
  const { page } = opened
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: 'detail' })
  const bids = detail.getByRole('list', { name: 'proposals in their order' })
  await bids.waitFor()
  assert.ok(page.url().endsWith(`/events/${decided}`))
  const [first, second] = await bids.getByRole('listitem').allInnerTexts()
  assert.match(first ?? '', new RegExp(`${RISK}[\\s\\S]*ALERT[\\s\\S]*won, and was carried out`))
  assert.match(first ?? '', new RegExp(`before ${STRATEGY}: its kind comes before all others`))
  assert.match(second ?? '', new RegExp(`${STRATEGY}[\\s\\S]*BUY[\\s\\S]*lost[\\s\\S]*to ${RISK}`))
  const observed = await textOf(detail.getByRole('table', { name: 'observations' }))
  assert.match(observed, new RegExp(`${PRICE}101.00`))
  await detail.getByRole('img', { name: /window of 60 seconds; 1: desk_risk won/ }).waitFor()
})

test('what a HALT stopped, and who was not woken, is said with its reason', async () => {
  const { page, url } = opened
  await page.goto(`${url}/events/${halted}`)
  const detail = page.getByRole('region', { name: 'detail' })
  await detail.getByText('nothing of this event is sent').waitFor()
  await detail.getByRole('link', { name: 'WAKE_NOT_ADMITTED' }).waitFor()
  await detail.getByRole('link', { name: 'EVENT_HALTED' }).waitFor()
  await detail.getByText('1 at a change of 3 %').waitFor()
})

test('a flow that an event woke leads back to it', async () => {
  const { page } = opened
  const detail = page.getByRole('region', { name: 'detail' })
  await detail.getByRole('link', { name: 'flow', exact: true }).first().click()
  await detail.getByRole('link', { name: `an event of ${TOPIC}` }).click()
  await detail.getByRole('heading', { name: 'Arbitration' }).waitFor()
  assert.ok(page.url().endsWith(`/events/${halted}`))
})

test('what comes while somebody looks waits until it is asked for', async () => {
  const { page, url, runtime } = opened
  await page.goto(`${url}/events`)
  await page.getByRole('table', { name: 'events' }).waitFor()
  await playDesk(runtime, '120.00', [])
  await page.getByRole('button', { name: '1 new' }).click()
  await page.getByText('collecting proposals').first().waitFor()
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
