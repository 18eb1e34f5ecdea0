import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArtifactChange } from 'rubicon-agents/client'
import { describeChange, describeStanding, isAbout, listUndone } from './change-words.ts'

function change(seq: number, more: Partial<ArtifactChange> = {}): ArtifactChange {
  return {
    ...{ seq, entry: `sha256:e${seq}`, at: '', dfid: null, name: 'src/a.ts' },
    ...{ change: `sha256:c${seq}`, before: 'sha256:0', after: 'sha256:1', agent_id: 'ann' },
    ...{ plan: null, undoes: null, what: 'changes', symbols: [], summary: null },
    ...more,
  }
}

test('what was taken back says where, and stands again once that was taken back', () => {
  const first = change(1)
  const undo = change(2, { undoes: 'sha256:c1', what: 'undo' })
  assert.deepEqual(describeStanding(first, listUndone([undo, first])), {
    standing: 'repeated',
    word: 'undone at entry 2',
  })
  const redo = change(3, { undoes: 'sha256:c2', what: 'undo' })
  const all = listUndone([redo, undo, first])
  assert.equal(describeStanding(first, all), null)
  assert.equal(describeStanding(undo, all)?.word, 'undone at entry 3')
  assert.equal(describeStanding(redo, all), null)
})

test('a change concerns its symbols, what they hold, and what holds them', () => {
  const one = change(1, { symbols: ['src/a.ts class:A/method:x', 'src/b.ts class:C'] })
  for (const path of ['', 'class:A', 'class:A/method:x', 'class:A/method:x/local:y'])
    assert.equal(isAbout(one, path), true, path)
  for (const path of ['class:B', 'class:A/method:xy', 'class:C'])
    assert.equal(isAbout(one, path), false, path)
  assert.equal(isAbout(change(2), 'class:B'), true)
  assert.equal(isAbout(change(3, { symbols: ['src/a.ts'] }), 'class:B'), true)
})

test('a change is told by what it was', () => {
  assert.equal(describeChange(change(1, { what: 'adopt' })), 'adopted as it was')
  assert.equal(describeChange(change(1, { after: null })), 'removed')
  assert.equal(describeChange(change(1, { what: null })), 'changed; its record cannot be read')
})
