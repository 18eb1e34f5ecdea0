import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPaletteStep, listMeant, type PaletteGroup } from './palette-items.ts'

const GROUPS: readonly PaletteGroup[] = [
  {
    label: 'Pages',
    items: [
      { label: 'Flows', hint: 'g f', href: '/flows' },
      { label: 'Ledger', hint: 'g l', href: '/ledger' },
    ],
  },
  { label: 'Actions', items: [{ label: 'Theme: Dark', hint: '', also: 'night', deed: 'dark' }] },
]

const labels = (text: string, most = 5) =>
  listMeant(GROUPS, text, most).map(({ label, items }) => [label, items.map((item) => item.label)])

test('every word has to occur, in any case and order, also in what it is also called', () => {
  assert.deepEqual(labels('dark theme'), [['Actions', ['Theme: Dark']]])
  assert.deepEqual(labels('NIGHT'), [['Actions', ['Theme: Dark']]])
  assert.deepEqual(labels('dark flows'), [])
})

test('without a text everything is offered, the first few of each group', () => {
  assert.deepEqual(labels(' ', 1), [
    ['Pages', ['Flows']],
    ['Actions', ['Theme: Dark']],
  ])
})

test('arrow keys go around the ends, and other keys nowhere', () => {
  assert.equal(findPaletteStep(3, 2, 'ArrowDown'), 0)
  assert.equal(findPaletteStep(3, 0, 'ArrowUp'), 2)
  assert.equal(findPaletteStep(3, 0, 'Enter'), null)
  assert.equal(findPaletteStep(0, 0, 'ArrowDown'), null)
})
