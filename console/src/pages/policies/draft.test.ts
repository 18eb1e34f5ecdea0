import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftFragment, NO_DRAFT, type PolicyDraft, parseDraft, toQuestion } from './draft.ts'

const DRAFT: PolicyDraft = {
  ...NO_DRAFT,
  policy: 'desk',
  cedar: 'forbid(principal, action, resource); // "ümlaut" <script>',
  params: '{"amount":"1"}',
}

test('a draft goes through the address and back', () => {
  assert.deepEqual(parseDraft(draftFragment(DRAFT)), DRAFT)
  assert.equal(draftFragment({ ...NO_DRAFT, policy: 'desk' }), '')
})

test('what is no draft is none', () => {
  for (const fragment of [
    '',
    '#token=x',
    '#draft=%E0%A4%A',
    '#draft={',
    '#draft=null',
    '#draft=[1]',
    `#draft=${encodeURIComponent(JSON.stringify({ ...DRAFT, cedar: 7 }))}`,
    `#draft=${encodeURIComponent(JSON.stringify({ ...DRAFT, more: 'x' }))}`,
    `#draft=${'x'.repeat(300_000)}`,
  ])
    assert.deepEqual(parseDraft(fragment), NO_DRAFT, fragment.slice(0, 40))
})

test('only what was changed is asked', () => {
  assert.deepEqual(toQuestion(NO_DRAFT), { ok: true, question: {} })
  assert.deepEqual(toQuestion({ ...DRAFT, cedar: '  ' }), {
    ok: true,
    question: { params: { amount: '1' } },
  })
  assert.deepEqual(toQuestion({ ...DRAFT, params: null }), {
    ok: true,
    question: { cedar: { name: 'desk', text: DRAFT.cedar ?? '' } },
  })
})

test('parameters that are no object are named, and not sent', () => {
  for (const params of ['{', '[]', 'null', '7']) {
    const asked = toQuestion({ ...DRAFT, params })
    assert.equal(asked.ok ? '' : asked.where, 'params')
  }
})
