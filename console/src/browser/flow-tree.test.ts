/** A flow that is too much for a page: many attempts, many flows in it, names that try something; erased; of nobody. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Runtime } from 'rubicon-runtime'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, contract } from './refunds.test-support.ts'

const AGENT = 'refunds_bot'
const CHILDREN = 120
const ATTEMPTS = 40
const HOSTILE = '<b onclick=alert(1)>\u202Etpircs</b>'

let opened: OpenConsole
let big = ''
let erased = ''

async function seed(runtime: Runtime): Promise<void> {
  await runtime.deploy(contract())
  const flow = await runtime.open({ agent: AGENT, trigger: 'a very bad week', steps: 'many' })
  big = flow.dfid
  for (let n = 0; n < CHILDREN; n += 1)
    await runtime.open({
      agent: AGENT,
      trigger: n === CHILDREN - 1 ? HOSTILE : `part ${n}`,
      parent: big,
      budget: { calls: '0' },
    })
  for (let n = 0; n < ATTEMPTS; n += 1)
    await flow.propose({
      policy_kind: 'REFUND',
      step_id: `s${n}`,
      params: { order: `o_${n}`, amount: n === 1 ? '9000.00' : `${n + 1}.00` },
      justification: HOSTILE,
    })
  const gone = await runtime.open({ agent: AGENT, trigger: 'to be erased' })
  erased = gone.dfid
  await gone.propose({
    policy_kind: 'REFUND',
    params: { order: 'o_9', amount: '9.00' },
    justification: 'x',
  })
  const done = await runtime.engine.oversight.erase({ dfid: erased, reason: 'asked', by: 'ann' })
  assert.ok(done.ok, JSON.stringify(done))
}

before(async () => {
  opened = await openConsole({ runtime: { capabilities }, seed })
})
after(() => opened.close())

test('of many flows in a flow a page is shown, and more as somebody asks', async () => {
  const { page, url } = opened
  await page.goto(`${url}/flows/${big}`)
  const rows = page.getByRole('list', { name: 'flows and steps in time' })
  await rows.locator('.timeline-child').first().waitFor()
  assert.equal(await rows.locator('.timeline-child').count(), 50)
  await rows.getByRole('button', { name: /more flows opened in it/ }).dblclick()
  await page.waitForFunction(() => document.querySelectorAll('.timeline-child').length === 100)
  await rows.getByRole('button', { name: 'Show more of them' }).press('Enter')
  await page.waitForFunction(
    (all) => document.querySelectorAll('.timeline-child').length === all,
    CHILDREN,
  )
  const names = await rows
    .locator('.timeline-child a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  assert.equal(new Set(names).size, CHILDREN, 'each once')
})

test('steps of a long flow are cut in the middle until somebody asks', async () => {
  const { page } = opened
  const rows = page.getByRole('list', { name: 'flows and steps in time' })
  const steps = rows.locator('.timeline-row:not(.timeline-flow)')
  assert.ok((await steps.count()) <= 26)
  await rows.getByRole('button', { name: /Show \d+ more steps/ }).press('Enter')
  await page.waitForFunction(
    (most) => document.querySelectorAll('.timeline-row:not(.timeline-flow)').length > most,
    ATTEMPTS,
  )
})

test('forty attempts leave their answers on the screen, and any two are compared', async () => {
  const { page } = opened
  const steps = page.getByRole('list', { name: 'attempts and decisions' })
  assert.equal(await steps.getByRole('link').count(), ATTEMPTS)
  const box = await steps.boundingBox()
  assert.ok(box !== null && box.height <= 242, JSON.stringify(box))
  await page.getByLabel('compare with').selectOption({ index: 0 })
  const diff = page.getByRole('region', { name: 'difference between attempts' })
  await diff.getByRole('heading', { name: `From attempt 1 to attempt ${ATTEMPTS}` }).waitFor()
})

test('names that try something are text, and turn nothing around', async () => {
  const { page } = opened
  const main = page.locator('main')
  assert.equal(await main.locator('b[onclick]').count(), 0)
  const text = await main.innerText()
  assert.ok(text.includes('<b onclick=alert(1)>'))
  assert.ok(!text.includes('\u202E'), 'a mark that turns text around is shown as what it is')
})

test('an erased flow says so, and keeps its entries', async () => {
  const { page, url } = opened
  await page.goto(`${url}/flows/${erased}`)
  await page.getByText(/was erased, or lies in an archive/).waitFor()
  await page.getByRole('link', { name: 'Ledger entries' }).click()
  await page.getByRole('table', { name: 'ledger entries' }).getByText('commit').waitFor()
})

test('a flow that is not there is said to be unknown', async () => {
  const { page, url } = opened
  await page.goto(`${url}/flows/019c1200-0000-7000-8000-000000000000`)
  await page.getByText('FLOW_UNKNOWN').first().waitFor()
})

test('nothing failed but what was not there', () => {
  const told = opened.errors.filter((error) => !error.includes('404'))
  assert.deepEqual([told, opened.foreign], [[], []])
})
