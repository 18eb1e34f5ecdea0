import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addRecent, parseRecent, type RecentPlace } from './recent-places.ts'

const place = (href: string): RecentPlace => ({ label: href, hint: '', href })

test('what was kept is read; what leads out of the console is left out', () => {
  const kept = [place('/flows'), place('//elsewhere'), place('https://elsewhere'), null, 7, {}]
  assert.deepEqual(parseRecent(JSON.stringify(kept)), [place('/flows')])
  for (const text of [null, '{', '{}']) assert.deepEqual(parseRecent(text), [])
})

test('the newest comes first, once, and few are kept', () => {
  const places = ['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/b'].reduce<readonly RecentPlace[]>(
    (before, href) => addRecent(before, place(href)),
    [],
  )
  assert.deepEqual(
    places.map(({ href }) => href),
    ['/b', '/g', '/f', '/e', '/d', '/c'],
  )
})
