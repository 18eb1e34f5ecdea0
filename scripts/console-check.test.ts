/** Some pages of the console, as `npm run console:check` looks at all of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser } from '../console/src/browser/machine-browser.test-support.ts'
import { SETTINGS_TABS } from '../console/src/pages/settings/settings-tabs.ts'
import { getPagePath, PAGE_NAMES } from '../console/src/url/pages.ts'
import { checkConsole } from './console-check.ts'
import { NO_DEMO } from './console-demo-places.ts'
import { lookAt } from './console-look.ts'
import type { Condition } from './console-place.ts'
import { listPlaces } from './console-places.ts'
import { createTimes, isList, recordTimes, summariseTimes } from './console-times.ts'
import { FIRST_PAGE_BYTES } from './console-weight.ts'

const NOTHING = {
  request: '',
  flow: '',
  leaf: '',
  agent: '',
  monitor: '',
  execution: '',
  resource: '',
  key: '',
}

const LINES = { flows: 40, pictures: false, note: () => {} } as const

test('pages that are empty, full, loading or failed have no fault', async () => {
  const report = await checkConsole({
    ...LINES,
    only: ['inbox', 'flow'],
    themes: ['light'],
    // The narrow one, in which most goes wrong; all of them: `npm run console:check`.
    widths: [390],
  })
  assert.deepEqual(report.findings, [])
  // The inbox in four conditions and a flow in three.
  assert.equal(report.looks, 7)
  assert.ok(report.flows >= 40)
  assert.ok(report.first_page_bytes > 0 && report.first_page_bytes <= FIRST_PAGE_BYTES)
})

test('every page and every tab of the settings is looked at, and pages also while they load and when they fail', () => {
  const places = listPlaces(NOTHING, NO_DEMO)
  const isLookedAt = (path: string, condition: Condition): boolean =>
    places.some((place) => place.path === path && place.conditions.includes(condition))
  for (const name of PAGE_NAMES.filter((one) => one !== 'settings'))
    for (const condition of ['empty', 'loading', 'failed'] as const) {
      // Who looks at all effects sees the most of them.
      const path = name === 'executions' ? '/executions?in=all' : getPagePath(name)
      // What is in force is never nothing.
      if (name === 'policies' && condition === 'empty') continue
      assert.ok(isLookedAt(path, condition), `${path} ${condition}`)
    }
  for (const { value } of SETTINGS_TABS.slice(1))
    assert.ok(isLookedAt(`/settings?in=${value}`, 'full'), value)
})

test('places have names of their own', () => {
  const names = listPlaces(NOTHING, NO_DEMO).map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
})

test('an address of many rows is a list, one of a thing or of the past is none', () => {
  const lists = [
    '/v1/overview?range=24h',
    '/v1/agent-activity',
    '/v1/channels',
    '/v1/persons?limit=1000',
    '/v1/tokens',
    '/v1/flows?reason=LIMIT_EXCEEDED&amount_min=5001&words=lost&counts=true',
    '/v1/trajectories/main/world?limit=1000',
    'demo /v1/topics',
  ]
  const others = [
    '/v1/flows/0199',
    '/v1/channels/ops',
    '/v1/trajectories/main/world?limit=1000&at=12',
    '/v1/sign-in',
  ]
  assert.deepEqual(lists.filter(isList), lists)
  assert.deepEqual(others.filter(isList), [])
})

test('lists that are slow are named, and few flows of a demo do not make them faster', () => {
  const times = createTimes()
  const look = { findings: [], image: null, fcp_ms: 1_000, asked_ms: { '/v1/flows': 200 } }
  recordTimes(times, 'flows', look, false)
  for (let n = 0; n < 4; n++)
    recordTimes(times, 'flows-demo', { ...look, fcp_ms: 999, asked_ms: { '/v1/flows': 2 } }, true)
  assert.deepEqual(summariseTimes(times).slow, [
    'flows: 1000 ms, not below 1000',
    '/v1/flows: 200 ms, not below 200',
  ])
})

test('what a page asks since a moment before now is one list, whenever it was asked', () => {
  const times = createTimes()
  for (const [at, ms] of [300, 190, 180].entries()) {
    const asked_ms = { [`/v1/flows?since=2026-11-19T10%3A00%3A0${at}.000Z&sort=agent`]: ms }
    recordTimes(times, 'flows', { findings: [], image: null, fcp_ms: 1, asked_ms }, false)
  }
  const { list_ms, slow } = summariseTimes(times)
  assert.deepEqual([list_ms, slow], [{ '/v1/flows?since=…&sort=agent': 190 }, []])
})

test('a page with faults is found out', async (t) => {
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const url = 'http://console.test'
  await context.route('**/*', (route) =>
    route.request().url().startsWith(`${url}/`)
      ? route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><html><body><main><h1></h1><img src="http://elsewhere.test/a.png">
            <p style="width: 900px">wide</p></main><script>throw new Error('no')</script></body></html>`,
        })
      : route.abort(),
  )
  const place = { name: 'bad', path: '/', conditions: ['full'], shows: 'main p' } as const
  const { findings } = await lookAt(context, url, place, 'full', null)
  const kinds = new Set(findings.map(({ what }) => what))
  assert.deepEqual([...kinds].sort(), ['axe', 'error', 'foreign', 'overflow'])
})
