/** Who changed which part of a file, and what was it then? */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ArtifactStage,
  addMethod,
  assertApplied,
  CLASS_A,
  openStage,
  toPlanned,
} from '../../../runtime/src/artifacts/artifact-stage.test-support.ts'
import { serve } from '../../../server/src/http/serve.ts'
import { goByKeys } from './chord.test-support.ts'
import { type OpenConsole, openConsole, textOf } from './console.test-support.ts'
import { DEAD, type Signs, watchMarkup } from './markup-signs.test-support.ts'

const A = 'src/a.ts'
const MARKUP = '<img src=x onerror="window.lived=1">'

/** So long at one moment is a stop. */
const REST_MS = 700

let stage: ArtifactStage
let opened: OpenConsole
let signs: () => Promise<Signs>

function toSymbol(method: string): string {
  return `${A} class:A/method:${method}`
}

async function headSeq(): Promise<number> {
  const heads = await stage.runtime.store.listHeads()
  return heads.find(({ trajectory }) => trajectory === 'main')?.seq ?? 0
}

async function lastCommit(): Promise<number> {
  const commits = await stage.runtime.store.listCommits('main', 0, 1_000)
  return commits.at(-1)?.envelope.seq ?? 0
}

/** Entries that did something. */
const moments = { adopted: 0, x: 0, y: 0, undone: 0 }

before(async () => {
  stage = await openStage()
  moments.adopted = await lastCommit()
  const x = {
    ...addMethod('x'),
    fragment: `x(): number {\n  // ${MARKUP}\n  const all = [this.one(), this.two()]\n  return Math.max(...all)\n}`,
  }
  assertApplied(await stage.apply('ann', await stage.plan('ann', [x], [toSymbol('x')])))
  moments.x = await lastCommit()
  const first = String((await stage.world('artifact', A))?.change)
  assertApplied(
    await stage.apply('bob', await stage.plan('bob', [addMethod('y')], [toSymbol('y')])),
  )
  moments.y = await lastCommit()
  const undo = await stage.propose('ann', 'artifact.plan', {
    undo: [{ artifact: A, change: first }],
    symbols: [toSymbol('x')],
  })
  assertApplied(await stage.apply('ann', toPlanned(undo)))
  moments.undone = await lastCommit()
  await stage.plan('bob', [addMethod('z')], [toSymbol('z')])
  opened = await openConsole({ serve: () => serve(stage.runtime, { port: 0 }) })
  signs = watchMarkup(opened.page)
})
after(async () => {
  await opened.close()
  await opened.stopServer()
  await stage.close()
})

async function atEntry(seq: number): Promise<void> {
  await opened.page.locator('.moment strong', { hasText: new RegExp(`^${seq}$`) }).waitFor()
}

async function rows(): Promise<readonly string[]> {
  const items = opened.page.getByRole('tree', { name: 'symbols' }).getByRole('treeitem')
  return (await items.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

async function visit(query: string, name = A): Promise<void> {
  await opened.page.goto(`${opened.url}/artifacts/${name}${query}`)
}

test('the list names every artifact, and open plans with who and until when', async () => {
  const { page } = opened
  await page.locator('.top-live', { hasText: /live/ }).waitFor()
  await goByKeys(page, 'r', '/artifacts')
  const table = page.getByRole('table', { name: 'artifacts' })
  await table.waitFor()
  const names = await table.locator('tbody tr td:first-child').allInnerTexts()
  assert.deepEqual(names, ['src/a.ts', 'src/log.ts', 'src/use.ts'])
  const plans = page.getByRole('table', { name: 'open plans' })
  const said = await textOf(plans.locator('tbody'))
  assert.match(said, /^bobsrc\/a\.ts class:A\/method:z14:\d\d/)
  await page.getByRole('list', { name: 'changes, newest first' }).getByText('took back').waitFor()
})

test('the palette finds a file by a part of its name', async () => {
  const { page } = opened
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /a file/ }).waitFor()
  await page.keyboard.type('a.ts')
  const files = page.getByRole('group', { name: 'Artifacts' })
  await files.getByRole('option', { name: /src\/a\.ts/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('keys open an artifact, walk its tree, fold it, and show a symbol', async () => {
  const { page } = opened
  await page.keyboard.press('j')
  await page.locator('a.rows-link:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('treeitem', { name: /method two/ }).waitFor()
  assert.ok(page.url().endsWith('/artifacts/src/a.ts'))
  for (const key of ['j', 'ArrowDown']) await page.keyboard.press(key)
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('treeitem', { name: /class A/, expanded: false }).waitFor()
  assert.match(page.url(), /folded=class%3AA/)
  assert.equal(await page.getByRole('treeitem', { name: /method two/ }).count(), 0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const text = page.locator('.symbol-text')
  await page.getByRole('heading', { name: 'class:A/method:one' }).waitFor()
  await text.getByText('return 1').waitFor()
  assert.match(page.url(), /path=class%3AA%2Fmethod%3Aone/)
  assert.equal(await textOf(text), '  one(): number {\n    return 1\n  }\n')
})

test('while the moment changes every symbol stays in its place, and what changed is marked', async () => {
  const { page } = opened
  await visit(`?at=${moments.adopted}`)
  await atEntry(moments.adopted)
  const tree = page.getByRole('tree', { name: 'symbols' })
  await tree.getByText('not there at this entry').waitFor()
  assert.deepEqual(await rows(), [
    'all of it',
    'import ./log.ts',
    '▾class A',
    'method one',
    'method two',
    'method y not there at this entry',
    '▾class B',
    'method other',
  ])
  await page.waitForTimeout(REST_MS)
  await page.keyboard.press(']')
  await atEntry(moments.x)
  await tree.getByText('● new').waitFor()
  assert.deepEqual(await rows(), [
    'all of it',
    'import ./log.ts',
    '▾class A',
    'method one',
    'method two',
    'method x ● new',
    'method y not there at this entry',
    '▾class B',
    'method other',
  ])
  await page.keyboard.press('ArrowRight')
  await atEntry(moments.x + 1)
  assert.match(page.url(), new RegExp(`at=${moments.x + 1}`))
  await page.waitForTimeout(REST_MS)
  await page.keyboard.press('End')
  await atEntry(await headSeq())
  await tree.getByRole('treeitem', { name: /^method x.* removed$/ }).waitFor()
  await tree.getByRole('treeitem', { name: /^method y.* new$/ }).waitFor()
})

test('an address holds a moment, a symbol and a view', async () => {
  const { page } = opened
  await visit(`?at=${moments.adopted}`)
  const text = page.locator('.symbol-text')
  await text.waitFor()
  assert.equal(await textOf(text), CLASS_A)
  await visit(`?at=${moments.adopted}&path=class:A/method:y`)
  await page.getByText(`It was not there at entry ${moments.adopted}.`).waitFor()
  await visit('?at=1')
  await page.getByText('It was not known at entry 1.').waitFor()
  await visit('?at=99999')
  await page.getByText('ENTRY_UNKNOWN').first().waitFor()
  await page.getByRole('button', { name: 'Show the latest entry' }).click()
  await atEntry(await headSeq())
})

test('the history of a symbol says who, by which flow and plan, and what was taken back', async () => {
  const { page } = opened
  await visit('?path=class:A/method:x&view=history')
  const changes = page.getByRole('list', { name: 'changes, newest first' }).locator('> li')
  await changes.first().waitFor()
  const said = (await changes.allInnerTexts()).map((one) => one.replaceAll(/\s+/g, ' '))
  assert.equal(said.length, 3)
  assert.match(said[0] ?? '', new RegExp(`^entry ${moments.undone} .* ann took back`))
  assert.match(
    said[1] ?? '',
    new RegExp(`ann changed ↺ undone at entry ${moments.undone} addMember`),
  )
  assert.match(said[1] ?? '', /what it changed flow in the ledger plan sha256:/)
  assert.match(said[2] ?? '', /keeper adopted as it was/)
  await changes.nth(1).getByRole('link', { name: 'flow' }).click()
  await page.locator('.flow-detail').waitFor()
  await page.goBack()
  await changes.nth(1).getByRole('link', { name: 'what it changed' }).click()
  await page.getByRole('list', { name: 'symbols that differ' }).waitFor()
})

test('two moments are compared by structure, then by lines', async () => {
  const { page } = opened
  await visit(`?at=${moments.x}`)
  await page.getByRole('button', { name: 'Compare with another moment' }).click()
  await page.getByText('Both moments are entry').waitFor()
  await page.getByRole('button', { name: 'Live' }).click()
  const different = page.getByRole('list', { name: 'symbols that differ' })
  await different.waitFor()
  const said = (await different.getByRole('listitem').allInnerTexts()).map((one) =>
    one.replaceAll(/\s+/g, ' '),
  )
  assert.match(said[0] ?? '', /^✔ added class:A\/method:y method/)
  assert.match(said[1] ?? '', /^✖ removed class:A\/method:x method/)
  assert.match(await textOf(page.locator('.diff')), /removed: .*x\(\): number[\s\S]*added: .*y\(\)/)
  assert.match(page.url(), new RegExp(`since=${moments.x}`))
  await page.locator('.symbol-detail details.json summary').click()
  await page.getByText('"content_hash"').first().waitFor()
})

test('what an agent wrote is text, wherever it is shown', async () => {
  const { page } = opened
  await visit(`?at=${moments.x}&path=class:A/method:x`)
  await page.locator('.symbol-text', { hasText: MARKUP }).waitFor()
  assert.deepEqual(await signs(), DEAD)
  await visit(`?at=${moments.x}&since=${moments.adopted}&view=compare`)
  await page.locator('.diff', { hasText: MARKUP }).waitFor()
  assert.deepEqual(await signs(), DEAD)
})

test('live, a change that is applied meanwhile is shown', async () => {
  const { page } = opened
  await visit('')
  const tree = page.getByRole('tree', { name: 'symbols' })
  await tree.getByRole('treeitem', { name: /method two/ }).waitFor()
  await page.locator('.top-live', { hasText: /live/ }).waitFor()
  const w = await stage.plan('ann', [addMethod('w')], [toSymbol('w')])
  assertApplied(await stage.apply('ann', w))
  await tree.getByRole('treeitem', { name: /method w/ }).waitFor()
})

test('an empty page names the command that fills it', async () => {
  const empty = await openConsole()
  try {
    await empty.page.goto(`${empty.url}/artifacts`)
    await empty.page.getByText('npx rubicon up --artifacts FOLDER').waitFor()
    assert.deepEqual(empty.errors, [])
  } finally {
    await empty.close()
    await empty.stopServer()
  }
})

test('nothing failed, and nothing was fetched from elsewhere', () => {
  const { errors, foreign } = opened
  assert.deepEqual(
    errors.filter((error) => !error.includes('404')),
    [],
  )
  assert.deepEqual(foreign, [])
})
