import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { takeFaults } from '../../../server/src/http/schemas/watch-fetch.test-support.ts'
import { type OpenConsole, openConsole } from './console.test-support.ts'

const FLOWS = /\/v1\/flows(\?|$)/

let opened: OpenConsole

before(async () => {
  opened = await openConsole()
})
after(() => opened.close())

const INDEXED = { leaf: 0, size: 0, problem: null }

test('what a page is answered is in the API document', async () => {
  const { page, held, url } = opened
  const answered = page.waitForResponse(FLOWS)
  await page.goto(`${url}/flows`)
  await answered
  await held.settled()
  assert.ok(held.count() > 1, 'it asked')
  assert.deepEqual(takeFaults(), [])
})

test('an answer that is not in it is found', async () => {
  const { page, held, url } = opened
  const json = { flows: 'none', next: null, counts: null, indexed: INDEXED }
  await page.route(FLOWS, (route) => route.fulfill({ status: 200, json }))
  const answered = page.waitForResponse(FLOWS)
  await page.goto(`${url}/flows`)
  await answered
  await held.settled()
  const [fault = ''] = takeFaults()
  assert.match(fault, /^GET \/v1\/flows answered 200: .*must be array/)
})
