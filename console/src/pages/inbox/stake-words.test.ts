import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeOver, listImpactWords, listStakeWords } from './stake-words.ts'

const over = (value: string, max: string | null, min: string | null = null): string =>
  describeOver({ limit: 'alone', checked: 'usd', value, max, min })

test('how far over a limit is said by a share of it', () => {
  assert.equal(over('1500', '500'), '3 × the limit of 500')
  assert.equal(over('1249.99', '500.00'), '2.5 × the limit of 500.00')
  assert.equal(over('560', '500'), '12 % over the limit of 500')
  assert.equal(over('500.01', '500'), '1 % over the limit of 500')
  assert.equal(over('1000000', '10'), '100,000 × the limit of 10')
})

test('where a share says nothing the name of the limit stands there', () => {
  assert.equal(over('5', '0'), 'outside of the limit alone')
  assert.equal(over('some', '500'), 'outside of the limit alone')
  assert.equal(over('5', null, '1000'), 'outside of the limit alone')
})

test('why it asks for care: what cannot be undone first, and once', () => {
  const words = listStakeWords({
    reversible: false,
    impact_reasons: ['irreversible', 'unusual', 'new_reason'],
  })
  assert.deepEqual(
    words.map(({ text, tone }) => `${text} ${tone}`),
    ['cannot be undone grave', 'unusual for this agent odd', 'new_reason much'],
  )
  assert.deepEqual(listStakeWords({ reversible: true, impact_reasons: [] }), [])
})

test('an open request says also that it can be undone, where nothing graver is said', () => {
  const words = (reversible: boolean): readonly string[] =>
    listImpactWords({ reversible, impact_reasons: [] }).map(({ text }) => text)
  assert.deepEqual(words(true), ['can be undone'])
  assert.deepEqual(words(false), ['cannot be undone'])
})
