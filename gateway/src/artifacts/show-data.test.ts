/** What helps a model that named something outside of what its agent was given. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeOutside } from './show-data.ts'

test('a relative path is told how folders are compared, and a whole one is not', () => {
  const set = 'filesystem-folders'
  assert.match(
    describeOutside({ set, outside: ['notes/today.txt'] }),
    /^Outside: notes\/today\.txt \(`filesystem-folders`\)\nA path is compared as it is written/,
  )
  assert.match(describeOutside({ set: `${set}-destination`, outside: ['a'] }), /relative one/)
  assert.equal(describeOutside({ set, outside: ['/etc'] }), 'Outside: /etc (`filesystem-folders`)')
  assert.equal(
    describeOutside({ set: 'git-branches', outside: ['x'] }),
    'Outside: x (`git-branches`)',
  )
  assert.equal(describeOutside({ set, outside: [] }), '')
})
