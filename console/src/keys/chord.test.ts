import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Binding, Chords } from './chord.ts'

const bind = (keys: string): Binding => ({ keys, does: keys, run: () => {} })
const bindings = [bind('j'), bind('g i'), bind('mod+k'), bind('enter')]
const press = (key: string, more: { mod?: boolean; typing?: boolean } = {}) => ({
  key,
  mod: more.mod ?? false,
  typing: more.typing ?? false,
})

test('a key means what is bound to it', () => {
  const chords = new Chords()
  assert.equal(chords.press(press('j'), 0, bindings)?.keys, 'j')
  assert.equal(chords.press(press('Enter'), 0, bindings)?.keys, 'enter')
  assert.equal(chords.press(press('x'), 0, bindings), null)
})

test('two keys in a row are a chord, while the first still waits', () => {
  const chords = new Chords()
  assert.equal(chords.press(press('g'), 0, bindings), null)
  assert.equal(chords.press(press('i'), 1_199, bindings)?.keys, 'g i')
  assert.equal(chords.press(press('g'), 5_000, bindings), null)
  assert.equal(chords.press(press('i'), 6_200, bindings), null)
})

test('whoever types is left alone, but for what is held with a modifier', () => {
  const chords = new Chords()
  assert.equal(chords.press(press('j', { typing: true }), 0, bindings), null)
  assert.equal(chords.press(press('k', { typing: true, mod: true }), 0, bindings)?.keys, 'mod+k')
})

test('what was bound last wins', () => {
  const late = { ...bind('j'), does: 'late' }
  assert.equal(new Chords().press(press('j'), 0, [...bindings, late])?.does, 'late')
})
