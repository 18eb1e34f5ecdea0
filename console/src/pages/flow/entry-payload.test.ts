import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHappening } from './entry-payload.ts'

test('a tool that answered with an error is not told as done alone', () => {
  const content = [{ type: 'text', text: 'ENOENT' }]
  const tell = (answer: object): string =>
    parseHappening({ kind: 'commit', payload: { observations: [answer] } }).word
  assert.equal(tell({ content }), 'done')
  assert.equal(tell({ content, isError: true }), 'done: the tool answered with an error')
})
