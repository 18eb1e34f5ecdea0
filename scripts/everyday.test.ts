/** The everyday tasks as data: as many as there should be, in few steps, and on the page of the docs as they are run. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createClient } from 'rubicon-agents/client'
import { launchBrowser } from '../console/src/browser/machine-browser.test-support.ts'
import { buildReport } from './everyday/perform-tasks.ts'
import { renderTasksPage, TASKS_PAGE } from './everyday/render-page.ts'
import { takeSteps } from './everyday/take-steps.ts'
import { countSteps, type EverydayTask, findFewest, type TaskStep } from './everyday/task.ts'
import { EVERYDAY_TASKS } from './everyday/tasks.ts'

test('the page of the docs is what is run', () => {
  const page = readFileSync(TASKS_PAGE, 'utf8')
  assert.equal(page, renderTasksPage(EVERYDAY_TASKS), 'run `npm run console:tasks -- --write`')
})

test('there are twelve tasks, and none takes more steps than the peer with the fewest', () => {
  assert.equal(new Set(EVERYDAY_TASKS.map(({ name }) => name)).size, 12)
  for (const task of EVERYDAY_TASKS) {
    const { longer, ok } = buildReport(task, {})
    assert.deepEqual({ longer, ok }, { longer: false, ok: true }, task.name)
    assert.equal(task.peers.length === 0, task.none !== undefined, 'who can it, or why none')
    for (const { source } of task.peers) assert.match(source, /^https:/)
  }
})

const PRESS: TaskStep = { press: 'g i' }
const TASK: EverydayTask = {
  name: 'one',
  ask: 'Do it',
  keyboard: [PRESS, { see: /there/ }],
  pointer: [PRESS, PRESS],
  peers: [
    { name: 'A', steps: 2, how: 'so', source: 'https://a.test' },
    { name: 'B', steps: 5, how: 'so', source: 'https://b.test' },
  ],
  check: async () => null,
}

test('a task with more steps than a peer, or that was not done, is not met', () => {
  assert.equal(countSteps(TASK.keyboard), 1, 'looking is no step')
  assert.equal(findFewest(TASK), 2)
  assert.equal(buildReport(TASK, {}).ok, true)
  const long = buildReport({ ...TASK, pointer: [PRESS, PRESS, PRESS] }, {})
  assert.deepEqual([long.longer, long.ok], [true, false])
  assert.equal(buildReport({ ...TASK, peers: [], pointer: [PRESS, PRESS, PRESS] }, {}).ok, true)
  assert.equal(buildReport(TASK, { keyboard: 'it is as it was' }).ok, false)
})

test('steps are carried out, and the one that fails is named', async (t) => {
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage()
  const url = 'http://tasks.test/'
  await page.route('**/*', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><main><input autofocus aria-label="words"><button onclick="
        document.title = document.querySelector('input').value">Keep</button>seen</main>`,
    }),
  )
  await page.goto(url)
  const other = { client: createClient({ url }), other: page, folder: '', saved: async () => null }
  const place = { url, page, ...other }
  const keep = { role: 'button', name: /^Keep$/, says: 'Keep' } as const
  await takeSteps(place, [{ see: /seen/ }, { type: 'some words' }, { click: keep }], '')
  assert.equal(await page.title(), 'some words')
  await page.locator('button').focus()
  await takeSteps(place, [{ press: 'Shift+Tab End' }, { type: '!' }, { press: 'Tab Enter' }], '')
  assert.equal(await page.title(), 'some words!')
  await page.setContent('<main><code>exit 3</code></main>')
  await assert.rejects(takeSteps(place, [{ run: /exit/ }], ''), /^Error: run \/exit\/: `exit 3`/)
})
