import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toVisibleText } from '../parts/visible-text.ts'
import { PAGE_NAMES } from '../url/pages.ts'
import { type OpenConsole, openConsole } from './console.test-support.ts'
import {
  CAPABILITIES,
  payloads,
  WIRE,
  type Written,
  writeEverywhere,
} from './markup.test-support.ts'
import { DEAD, type Signs, watchMarkup } from './markup-signs.test-support.ts'

let opened: OpenConsole
let written: Written
let signs: () => Promise<Signs>

before(async () => {
  opened = await openConsole({
    runtime: { capabilities: CAPABILITIES, sources: [WIRE], background: false },
    async seed(runtime) {
      written = await writeEverywhere(runtime)
    },
  })
  signs = watchMarkup(opened.page)
})
after(() => opened.close())

async function assertDead(place: string): Promise<void> {
  const { errors, foreign } = opened
  assert.deepEqual(await signs(), DEAD, place)
  assert.deepEqual(errors, [], place)
  assert.deepEqual(foreign, [], place)
}

/** Goes there without loading the page anew. */
async function visit(path: string): Promise<void> {
  await opened.page.evaluate((to) => {
    history.pushState(null, '', to)
    window.dispatchEvent(new Event('popstate'))
  }, path)
}

/** Everything that is folded away, unfolded. */
async function unfold(): Promise<void> {
  await opened.page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })
}

/** Nothing is being read any more. */
async function settled(): Promise<void> {
  await opened.page.waitForFunction(() => document.querySelector('.loading') === null)
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

test('the table has 200 payloads, all different', () => {
  assert.equal(new Set(payloads()).size, 200)
})

test('lists with one of each in every row show them as text', async () => {
  const { page } = opened
  for (const place of ['/inbox', '/flows', '/executions?in=all']) {
    await visit(place)
    await page.getByRole('table').first().waitFor()
    await assertDead(place)
    const rows = page.getByRole('table').first().locator('tbody tr')
    const older = page.getByRole('button', { name: /^(Older|More)$/ })
    while ((await older.count()) > 0) {
      const shown = await rows.count()
      await older.click()
      await rows.nth(shown).waitFor()
    }
    await assertDead(`${place}, to the end`)
  }
})

test('a request with them in every field shows each of them, and nothing else happens', async () => {
  const { page } = opened
  for (const { dfid, texts } of written.several) {
    const id = encodeURIComponent(`${dfid}:1`)
    await visit(`/inbox/${id}`)
    const request = page.getByRole('article', { name: 'the request' })
    await page.locator(`.request a[href="/flows/${dfid}"]`).waitFor()
    await unfold()
    const said = await request.getByRole('region', { name: 'the agent says' }).textContent()
    for (const text of texts)
      assert.ok(flat(said ?? '').includes(flat(toVisibleText(text))), JSON.stringify(text))
    await page.keyboard.press('e')
    await page.getByText('Your edit is a new proposal').waitFor()
    await assertDead(`/inbox/${dfid}`)
    await page.keyboard.press('Escape')
  }
})

/** All of them stand alone in a row of the lists; their details are a sample, unless there is time. */
const STRIDE = process.env.RUBICON_FULL === '1' ? 1 : 5

test('one payload alone in a request: neither its row nor its detail lives', async () => {
  const { page } = opened
  for (const id of written.single.filter((_, index) => index % STRIDE === 0)) {
    await visit(`/inbox/${encodeURIComponent(id)}`)
    await page.locator(`.request a[href="/flows/${id.split(':')[0]}"]`).waitFor()
  }
  await assertDead('/inbox, one by one')
})

const VIEWS = ['', 'compact', 'context', 'entries', 'json'] as const

test('a flow shows them in every view', async () => {
  const { page } = opened
  for (const { dfid } of written.several)
    for (const view of VIEWS) {
      await visit(`/flows/${dfid}${view === '' ? '' : `?view=${view}`}`)
      await page.locator('.flow-detail').waitFor()
      await unfold()
      await assertDead(`/flows/${dfid} ${view}`)
    }
})

test('an entry of the ledger shows them as it says them, and as it was hashed', async () => {
  const { page, runtime } = opened
  for (const { dfid } of written.several)
    for (const { leaf, envelope } of await runtime.store.listFlowEntries(dfid)) {
      await visit(`/ledger/${leaf}`)
      await page.getByText(envelope.kind).first().waitFor()
      await settled()
      await unfold()
      await assertDead(`/ledger/${leaf}`)
    }
})

/** The first of its rows, and every view of that. */
async function walkIn(place: string): Promise<void> {
  const { page } = opened
  const row = page.locator('a.rows-link').first()
  if ((await row.count()) > 0) await row.click()
  await settled()
  const tabs = page.locator('.list-detail-detail a.tab')
  for (let at = 0; at < (await tabs.count()); at++) {
    await tabs.nth(at).click()
    await settled()
    await unfold()
    await assertDead(`${place}, view ${at}`)
  }
}

test('every other page that could show them is walked', async () => {
  const { page, runtime } = opened
  const [first] = written.several
  const dfid = first?.dfid ?? ''
  const entries = await runtime.store.listFlowEntries(dfid)
  const asked = entries.find(({ envelope }) => envelope.kind === 'pending_approval')
  const { trajectory, seq } = asked?.envelope ?? assert.fail('it was asked')
  const places = [
    ...PAGE_NAMES.map((name) => `/${name}`),
    '/agents/writer_a',
    '/executions?in=all',
    `/ledger?q=${dfid}`,
    `/policies?decision=${encodeURIComponent(`${trajectory}/${seq}`)}`,
    '/inbox?in=decided',
  ]
  for (const place of places) {
    await visit(place)
    await page.locator('main').waitFor()
    await settled()
    await unfold()
    await assertDead(place)
    await walkIn(place)
    await assertDead(`${place}, inside`)
  }
})
