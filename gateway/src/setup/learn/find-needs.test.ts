/** What is learnt from refused calls, whose arguments were chosen by whoever called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNeeds } from './find-needs.ts'
import type { ObservedCall } from './observed-call.ts'

function buildOutside(...outside: readonly string[]): ObservedCall {
  return {
    ...{ dfid: 'd', kind: 'mcp.files.read', what: 'refused', code: 'RESOURCE_SCOPE' },
    details: { set: 'files-folders', by: 'contract', outside },
    wasApproved: false,
  }
}

function listAllowed(...values: readonly string[]): readonly string[] {
  const { needs } = findNeeds(
    values.map((one) => buildOutside(one)),
    { tools: [] },
  )
  return needs.flatMap((need) => (need.need === 'allow' ? need.values : []))
}

test('a value that a contract would read as a pattern is not learnt', () => {
  for (const value of ['*', '/*', '/srv/docs*', 're:.*', 're:(?s)/srv/.*'])
    assert.deepEqual(listAllowed(value), [], value)
  assert.deepEqual(listAllowed('/srv/docs/a', '/*'), ['/srv/docs/a'])
  assert.deepEqual(listAllowed('/srv/docs/*', '/srv/docs/a'), ['/srv/docs/a'])
  assert.deepEqual(listAllowed('/srv/a*b', '/srv/docs/a'), ['/srv/a*b', '/srv/docs/a'])
})

test('several values of one folder are learnt as what is below it', () => {
  assert.deepEqual(listAllowed('/srv/docs/a', '/srv/docs/b'), ['/srv/docs/*'])
  assert.deepEqual(listAllowed('/srv/docs/../a'), [])
})
