import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPurchases, type Purchases } from './purchases.test-support.ts'

let opened: Purchases

before(async () => {
  opened = await openPurchases()
  // A browser without a screen has no notifications: what the page asks of it is kept.
  await opened.page.addInitScript(STUB)
})
after(() => opened.close())

const STUB = `
  window.told = []
  window.asked = 0
  window.Notification = class extends EventTarget {
    static permission = sessionStorage.getItem('allowed') === 'yes' ? 'granted' : 'default'
    static async requestPermission() {
      window.asked += 1
      sessionStorage.setItem('allowed', 'yes')
      this.permission = 'granted'
      return 'granted'
    }
    constructor(title, { body, tag }) {
      super()
      window.told.push({ title, body, tag, notice: this })
    }
    close() {}
  }
`

type Told = { readonly title: string; readonly body: string; readonly tag: string }

function readTold(): Promise<readonly Told[]> {
  return opened.page.evaluate(() => {
    const { told } = window as unknown as { readonly told: readonly Told[] }
    return told.map(({ title, body, tag }) => ({ title, body, tag }))
  })
}

/** As if the time had passed after which the page looks by itself. */
async function lookAgain(): Promise<void> {
  await opened.page.clock.runFor(21_000)
}

test('the browser is asked once somebody switches notifications on, and not before', async () => {
  const { page, url } = opened
  await page.clock.install()
  await page.goto(`${url}/settings?in=notifications`)
  const box = page.getByRole('checkbox', { name: 'Notify me in this browser' })
  await box.waitFor()
  const countAsked = () => page.evaluate(() => (window as unknown as { asked: number }).asked)
  assert.equal(await countAsked(), 0)
  await box.check()
  await page.getByText('On, in this browser.').waitFor()
  assert.equal(await countAsked(), 1)
})

test('what comes while somebody looks elsewhere is told once, without the words of its agent', async () => {
  const { page, want } = opened
  const id = await want('5000')
  await lookAgain()
  await page.waitForFunction(() => (window as unknown as { told: unknown[] }).told.length > 0)
  await lookAgain()
  assert.deepEqual(await readTold(), [
    { title: 'PURCHASE usd 5000', body: '5,000 usd · high impact · waits for you', tag: id },
  ])
  await page.evaluate(() => {
    const [first] = (window as unknown as { told: { notice: EventTarget }[] }).told
    first?.notice.dispatchEvent(new Event('click'))
  })
  await page.getByRole('article', { name: 'the request' }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/inbox/${encodeURIComponent(id)}`)
})

test('whoever looks at the inbox is told nothing', async () => {
  const { page, want } = opened
  await want('6000')
  const seen = page.waitForResponse((answer) => answer.url().includes('sort=-requested'))
  await lookAgain()
  await seen
  await page.getByText('2', { exact: true }).first().waitFor()
  assert.equal((await readTold()).length, 1)
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  assert.deepEqual(opened.errors, [])
  assert.deepEqual(opened.foreign, [])
})
