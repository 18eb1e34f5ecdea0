import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEverywhereOptions } from './everywhere-options.ts'

const NAMES = { scenarios: ['eoam', 'sds'], stores: ['memory', 'sqlite'] }

test('without options every scenario is played in every store, and over HTTP', () => {
  const all = { json: false, http: true, only: [], stores: NAMES.stores }
  assert.deepEqual(parseEverywhereOptions([], NAMES), all)
  const args = ['--only', 'sds', '--store', 'memory', '--no-http', '--json']
  const some = { json: true, http: false, only: ['sds'], stores: ['memory'] }
  assert.deepEqual(parseEverywhereOptions(args, NAMES), some)
})

test('whoever mistypes an option or a name is told what there is, and nothing is thrown', () => {
  for (const args of [['--onyl', 'eoam'], ['--only'], ['--help'], ['--store', 'mysql']])
    assert.match(String(parseEverywhereOptions(args, NAMES)), /\n.* \[--only NAME\]/)
  assert.match(
    String(parseEverywhereOptions(['--only', 'eaom'], NAMES)),
    /there is no scenario `eaom`(.|\n)*scenarios: eoam, sds/,
  )
})
