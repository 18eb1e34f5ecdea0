import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TextHistory } from './history.ts'
import { applySplices } from './splice.ts'

test('changes are undone in any order: with all of them undone the text is the first one', () => {
  const change = fc.tuple(fc.nat(1_000), fc.nat(8), fc.string({ maxLength: 6, unit: 'grapheme' }))
  const plan = fc.tuple(
    fc.string({ maxLength: 40, unit: 'grapheme' }),
    fc.array(change, { maxLength: 8 }),
    fc.infiniteStream(fc.nat(1_000)),
  )
  fc.assert(
    fc.property(plan, ([first, changes, picks]) => {
      const history = new TextHistory(first)
      const left = changes.map(([place, length, text], i) => {
        const now = history.getText()
        const start = place % (now.length + 1)
        const splice = { start, end: Math.min(now.length, start + length), text }
        assert.ok(history.apply(String(i), [splice]))
        assert.equal(history.getText(), applySplices(now, [splice]))
        return String(i)
      })
      for (let misses = 0; left.length > 0 && misses < 200; ) {
        const [index] = [(picks.next().value ?? 0) % left.length]
        const now = history.getText()
        const splices = history.undo(left[index] ?? '')
        if (splices === null) {
          misses += 1
          continue
        }
        assert.equal(applySplices(now, splices), history.getText())
        left.splice(index, 1)
      }
      assert.deepEqual(left, [])
      assert.equal(history.getText(), first)
    }),
  )
})

test('two removals side by side come back in their places, whichever comes back first', () => {
  for (const order of [
    ['a', 'b'],
    ['b', 'a'],
  ]) {
    const history = new TextHistory('AAABBB')
    assert.ok(history.apply('a', [{ start: 0, end: 3, text: '' }]))
    assert.ok(history.apply('b', [{ start: 0, end: 3, text: '' }]))
    for (const change of order) assert.ok(history.undo(change) !== null)
    assert.equal(history.getText(), 'AAABBB')
  }
})

test('a change whose text another has changed since is not undone before the other is', () => {
  const history = new TextHistory('x')
  assert.ok(history.apply('a', [{ start: 1, end: 1, text: 'yz' }]))
  assert.ok(history.apply('b', [{ start: 2, end: 3, text: '' }]))
  assert.equal(history.undo('a'), null)
  assert.ok(history.undo('b') !== null)
  assert.ok(history.undo('a') !== null)
  assert.equal(history.getText(), 'x')
  assert.equal(history.undo('a'), null)
})

test('a change that something was put into the middle of is not undone before that is', () => {
  const history = new TextHistory('x')
  assert.ok(history.apply('a', [{ start: 1, end: 1, text: '{}' }]))
  assert.ok(history.apply('b', [{ start: 2, end: 2, text: 'y' }]))
  assert.ok(history.apply('c', [{ start: 4, end: 4, text: 'z' }]))
  assert.deepEqual(history.listStandingOn('a'), ['b'])
  assert.equal(history.undo('a'), null)
  assert.ok(history.undo('b') !== null)
  assert.deepEqual(history.listStandingOn('a'), [])
  assert.ok(history.undo('a') !== null)
  assert.equal(history.getText(), 'xz')
})

test('splices that do not fit the text change nothing', () => {
  const history = new TextHistory('x')
  assert.equal(history.apply('a', [{ start: 0, end: 2, text: '' }]), false)
  assert.equal(history.undo('a'), null)
  assert.equal(history.getText(), 'x')
})

test('a change is not undone while another has put something into the midst of what it put in', () => {
  const history = new TextHistory('x')
  assert.ok(history.apply('a', [{ start: 1, end: 1, text: '()' }]))
  assert.ok(history.apply('b', [{ start: 2, end: 2, text: 'y' }]))
  assert.ok(history.apply('c', [{ start: 2, end: 3, text: '' }]))
  assert.equal(history.getText(), 'x()')
  assert.deepEqual(history.listStandingOn('a'), ['b'])
  assert.deepEqual(history.listStandingOn('b'), ['c'])
  for (const change of ['c', 'b', 'a']) assert.ok(history.undo(change) !== null)
  assert.equal(history.getText(), 'x')
})

test('what was taken out does not come back within what another has written over its place', () => {
  const history = new TextHistory('[a, b, c]')
  assert.ok(history.apply('a', [{ start: 4, end: 7, text: '' }]))
  assert.equal(history.getText(), '[a, c]')
  assert.ok(history.apply('b', [{ start: 0, end: 6, text: '1' }]))
  assert.deepEqual(history.listStandingOn('a'), ['b'])
  assert.equal(history.undo('a'), null)
  assert.ok(history.undo('b') !== null)
  assert.ok(history.undo('a') !== null)
  assert.equal(history.getText(), '[a, b, c]')
})

test('the splices of all that is left make the text of the first one', () => {
  const history = new TextHistory('abcdef')
  assert.ok(history.apply('a', [{ start: 1, end: 3, text: 'XY' }]))
  assert.ok(history.apply('b', [{ start: 2, end: 4, text: 'Z' }]))
  assert.ok(history.apply('c', [{ start: 0, end: 0, text: '-' }]))
  const splices = history.listSplices()
  assert.equal(applySplices('abcdef', splices), history.getText())
  assert.equal(history.getText(), '-aXZef')
  assert.equal(history.findPutter(0), 'c')
  assert.equal(history.findPutter(1), null)
})
