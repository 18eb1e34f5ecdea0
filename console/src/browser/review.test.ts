import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import { capabilities, refund, seedRefunds } from './refunds.test-support.ts'

let opened: OpenConsole
let dfid = ''

const story = {
  name: 'story',
  check: async () => ({ mismatch: true, why: 'it says late, and pays for broken' }),
}

before(async () => {
  opened = await openConsole({
    runtime: { capabilities, softGuards: [story] },
    seed: async (runtime) => {
      await seedRefunds(runtime)
      await refund(runtime, 'ticket 9', '1.00')
      await runtime.engine.context.advisers.guards.awaitSettled()
      const filter = { tag: 'NEEDS_REVIEW', limit: 1 } as const
      const [flow] = await runtime.store.listFlowSummaries(filter)
      dfid = flow?.dfid ?? ''
    },
  })
})
after(() => opened.close())

test('a flagged flow says who flagged it and why, and a person clears it with a reason', async () => {
  const { page, url, runtime } = opened
  await page.goto(`${url}/flows/${dfid}`)
  const review = page.getByRole('region', { name: 'review' })
  await review.getByText('it says late, and pays for broken').waitFor()
  assert.match(await review.innerText(), /flagged by soft guard story/)
  const button = review.getByRole('button', { name: 'Mark as reviewed' })
  assert.equal(await button.isDisabled(), true)
  await review.getByLabel('Why it can stay as it is').fill('the photo shows both')
  await button.click()
  await review.getByText('the photo shows both').waitFor()
  await button.waitFor({ state: 'detached' })
  assert.match(await review.innerText(), /reviewed by/)
  const flow = await runtime.store.readFlow(dfid)
  assert.deepEqual(flow?.tags, [])
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
