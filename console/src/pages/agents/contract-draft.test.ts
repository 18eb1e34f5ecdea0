import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseContractText } from 'rubicon-runtime/contract-file'
import { findLimits, raiseVersion, toNextVersion } from './contract-draft.ts'
import { CONTRACT_TEMPLATES, writeTemplate } from './contract-templates.ts'

test('the version in the text is raised, in a line of its own alone', () => {
  assert.equal(raiseVersion('a: 1\nversion: 1.2.3\nb: 2', '1.2.3'), 'a: 1\nversion: 1.3.0\nb: 2')
  assert.equal(raiseVersion('version: "1.2.3" # kept', '1.2.3'), 'version: 1.3.0 # kept')
  assert.equal(raiseVersion('{version: 1.2.3}', '1.2.3'), null)
  assert.equal(raiseVersion('  version: 1.2.3', '1.2.3'), null)
  assert.equal(raiseVersion('version: 1.2.3', ''), null)
  assert.equal(toNextVersion('2.9.1-rc.1'), '2.10.0')
})

test('each template is a contract that can be deployed once words in capitals are names', () => {
  for (const template of CONTRACT_TEMPLATES) {
    const text = writeTemplate(template, {
      owner: 'Jane "J" Doe: #1',
      today: '2026-01-31',
      kind: 'REFUND',
      measure: 'refund_usd',
    })
    const read = parseContractText(text, template.value)
    assert.ok(read.ok, read.ok ? '' : read.error.summary)
    assert.equal(read.value.owner, 'Jane "J" Doe: #1')
    assert.doesNotMatch(text, /KIND|MEASURE/)
  }
})

test('limits are found where the text has their figures, quoted or not, in either way of writing', () => {
  const text =
    'limits:\n  - id: a\n    max: "500.00"\n  - { id: b, max: 7 }\nclimax: 3\nmax: none\n'
  assert.deepEqual(
    findLimits(text).map(([from, to]) => text.slice(from, to)),
    ['500.00', '7'],
  )
  assert.deepEqual(findLimits(''), [])
})
