/** The docs as the server has them: found by words, copied by a button, at any width. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findAxeProblems } from './axe.test-support.ts'
import { type OpenConsole, openConsole } from './console.test-support.ts'

let opened: OpenConsole

before(async () => {
  opened = await openConsole()
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
})
after(() => opened.close())

test('a page is found by keys alone, from anywhere in the docs', async () => {
  const { page, url } = opened
  await page.goto(`${url}/docs/`)
  const field = page.getByRole('searchbox', { name: 'search the docs' })
  await field.waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('limit_exceeded')
  await page.locator('.search-list a').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/reasons\/LIMIT_EXCEEDED/)
  await page.getByRole('heading', { name: 'LIMIT_EXCEEDED', level: 1 }).waitFor()
})

test('what is not found is said, and Escape clears it', async () => {
  const { page } = opened
  const field = page.getByRole('searchbox')
  await field.fill('zzzz')
  await page.getByRole('status').filter({ hasText: '0 results' }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await field.inputValue(), '')
  assert.equal(await page.locator('.search-list').isHidden(), true)
})

test('a block is copied as it is written', async () => {
  const { page, url } = opened
  await page.goto(`${url}/docs/guides/contract-cookbook`)
  const block = page.locator('.code').filter({ hasText: 'import type { Capability }' }).first()
  await block.hover()
  await block.getByRole('button', { name: 'Copy' }).click()
  await block.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(copied, await block.locator('code').textContent())
  assert.match(copied, /^import type \{ Capability \} from 'rubicon-runtime'\n/)
})

test('the list of pages begins where its reader is', async () => {
  const { page, url } = opened
  await page.goto(`${url}/docs/guides/with-an-llm`)
  const list = page.getByRole('navigation', { name: 'docs' })
  await list.locator('[aria-current="page"]').waitFor()
  await page.waitForFunction(() => {
    const here = document.querySelector('#pages [aria-current="page"]')?.getBoundingClientRect()
    return here !== undefined && here.top > 0 && here.bottom < innerHeight
  })
})

test('they are set in the typefaces of the console', async () => {
  const { page } = opened
  await page.waitForFunction(() =>
    [...document.fonts].some(
      ({ family, status }) => family.includes('Inter') && status === 'loaded',
    ),
  )
})

for (const [width, colorScheme] of [
  [1440, 'light'],
  [1000, 'light'],
  [390, 'dark'],
] as const)
  test(`nothing is wider than ${width} pixels, and axe finds nothing, in the ${colorScheme}`, async () => {
    const { page, url } = opened
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await page.goto(`${url}/docs/guides/contract-cookbook`)
    const field = page.getByRole('searchbox', { name: 'search the docs' })
    await field.fill('budget')
    await page.locator('.search-list a').first().waitFor()
    await page.getByRole('navigation', { name: 'on this page' }).waitFor()
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    assert.ok(Number(wide) <= width, `${wide} pixels`)
    assert.deepEqual(await findAxeProblems(page), [])
  })

test('what is on the page is one line in the hand, and open where there is room', async () => {
  const { page, url } = opened
  const parts = page.locator('#parts')
  for (const [width, isOpen] of [
    [390, false],
    [1280, true],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`${url}/docs/guides/contract-cookbook`)
    await page.locator('#search-field').waitFor()
    await page.waitForLoadState('load')
    assert.equal(await parts.evaluate((one: HTMLDetailsElement) => one.open), isOpen)
  }
})

test('the pages complain of nothing, and ask for nothing from elsewhere', () => {
  assert.deepEqual([opened.errors, opened.foreign], [[], []])
})
