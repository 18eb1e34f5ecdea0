import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../../claims/parsed.test-support.ts'
import type { Delta } from '../../delta/delta.ts'
import { planDelta } from '../../delta/plan-delta.ts'
import { createGitMergeLines } from '../../git/merge-file.ts'
import { mergeTexts } from '../../merge/merge-texts.ts'
import { findFormat } from '../formats.ts'

const FORMAT = findFormat('a.js') ?? assert.fail()
const REST = 'function f() {\n  return 1\n}\n'

function plan(text: string, delta: Delta): string {
  const planned = planDelta(parseWhole(FORMAT, text), delta, FORMAT)
  return planned.ok ? planned.value.after.text : planned.error.code
}

test('nothing is put before a directive, which would be one no more', () => {
  const first = { op: 'addMember', target: '', at: { after: null } } as const
  const text = `'use strict'\n\n${REST}`
  assert.equal(plan(text, { ...first, fragment: 'function g() {}' }), 'FRAGMENT_REACHES_OUT')
  assert.match(plan(text, { ...first, fragment: "'use client'" }), /^'use client'\n/u)
  const last = { op: 'addMember', target: '', fragment: 'function g() {}' } as const
  assert.match(plan(text, last), /^'use strict'\n/u)
})

test('no text becomes a directive by what is taken out before it', () => {
  const text = `${REST}'use strict'\nf()\n`
  assert.equal(plan(text, { op: 'remove', target: 'function:f' }), 'TARGET_UNFIT')
})

test('a merge leaves a directive where it is one', () => {
  const mergeLines = createGitMergeLines()
  const input = {
    base: REST,
    ours: `'use client'\n\n${REST}`,
    theirs: `import { a } from '#a'\n\n${REST}`,
  }
  const { text, conflicts } = mergeTexts(input, FORMAT, { mergeLines })
  assert.ok(conflicts.length > 0 || text.startsWith("'use client'"), text)
})
