import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MARKDOWN_FORMAT } from '../formats/markdown/markdown.ts'
import { applySplices } from '../text/splice.ts'
import type { Delta } from './delta.ts'
import type { PlanResult } from './plan.ts'
import { planDelta } from './plan-delta.ts'

function plan(text: string, delta: Delta): PlanResult {
  const parsed = MARKDOWN_FORMAT.parse(text)
  assert.ok(parsed.ok)
  return planDelta(parsed.value, delta, MARKDOWN_FORMAT)
}

function apply(text: string, delta: Delta): string {
  const result = plan(text, delta)
  assert.ok(result.ok, result.ok ? '' : `${result.error.code} ${result.error.detail}`)
  assert.equal(applySplices(result.value.after.text, result.value.inverse), text)
  return result.value.after.text
}

function refuse(text: string, delta: Delta): string {
  const result = plan(text, delta)
  assert.ok(!result.ok, result.ok ? result.value.after.text : '')
  return result.error.code
}

const TEXT = '# A\n\nintro\n\n## B\n\nb\n\n## C\nc\n'

test('a section is put in with a blank line around it, at its place', () => {
  const fragment = '\n## New\nnew\n\n'
  const add = (target: string, at?: { readonly after: string | null }): Delta =>
    at === undefined
      ? { op: 'addSection', target, fragment }
      : { op: 'addSection', target, fragment, at }
  assert.equal(apply(TEXT, add('section:A')), `${TEXT}\n## New\nnew\n`)
  assert.equal(apply(TEXT.trimEnd(), add('section:A')), `${TEXT}\n## New\nnew`)
  assert.equal(
    apply(TEXT, add('section:A', { after: 'section:A/section:B' })),
    TEXT.replace('## C', '## New\nnew\n\n## C'),
  )
  assert.equal(
    apply(TEXT, add('section:A', { after: null })),
    TEXT.replace('## B', '## New\nnew\n\n## B'),
  )
  assert.equal(apply('', { op: 'addSection', target: '', fragment: '# X' }), '# X\n')
  assert.equal(
    apply(TEXT.replaceAll('\n', '\r\n'), add('section:A')),
    `${TEXT}\n## New\nnew\n`.replaceAll('\n', '\r\n'),
  )
  assert.equal(
    apply('---\na: 1\n---\n', { op: 'addMember', target: '', fragment: '# X' }),
    '---\na: 1\n---\n\n# X\n',
  )
})

test('a section of a name that is there, of another level, or that is none is refused', () => {
  const add = (fragment: string, target = 'section:A'): Delta => ({
    op: 'addSection',
    target,
    fragment,
  })
  assert.equal(refuse(TEXT, add('## B\n')), 'NAME_TAKEN')
  assert.match(refuse(TEXT, add('# Top\n')), /^FRAGMENT_/u)
  assert.match(refuse(TEXT, add('### Deep\n')), /^FRAGMENT_/u)
  assert.match(refuse(TEXT, add('## X\n', '')), /^FRAGMENT_/u)
  assert.equal(refuse(TEXT, add('words')), 'FRAGMENT_INVALID')
  assert.equal(refuse(TEXT, add('## X\n## Y\n')), 'FRAGMENT_INVALID')
  assert.equal(refuse(TEXT, add('words\n\n## X\n')), 'FRAGMENT_INVALID')
  assert.equal(refuse(TEXT, add('## X\n', 'section:Z')), 'TARGET_MISSING')
  assert.equal(refuse(TEXT, add('## X\n', 'section:A/text:intro')), 'TARGET_UNFIT')
  assert.equal(refuse(TEXT, add(`## X\n${'a'.repeat(262_144)}`)), 'FRAGMENT_INVALID')
})

test('a section is replaced with its heading or below it, and keeps its name', () => {
  const replace = (fragment: string): Delta => ({
    op: 'replaceSection',
    target: 'section:A/section:B',
    fragment,
  })
  const due = TEXT.replace('## B\n\nb', '## B\n\nother\n\n### Deeper')
  assert.equal(apply(TEXT, replace('other\n\n### Deeper\n')), due)
  assert.equal(apply(TEXT, replace('## B\n\nother\n\n### Deeper\n')), due)
  assert.match(refuse(TEXT, replace('## Renamed\n\nother\n')), /^FRAGMENT_/u)
  assert.match(refuse(TEXT, replace('# B\n\nother\n')), /^FRAGMENT_/u)
  assert.match(refuse(TEXT, replace('other\n\n## D\n')), /^FRAGMENT_/u)
  assert.match(refuse(TEXT, replace('other\n\n# D\n')), /^FRAGMENT_/u)
  assert.match(refuse(TEXT, replace('```\nopen\n')), /^FRAGMENT_/u)
  assert.match(refuse(TEXT, replace('<!-- open\n')), /^FRAGMENT_/u)
})

test('a text before the first section is replaced without what follows it', () => {
  const target = 'section:A/text:intro'
  const text = apply(TEXT, { op: 'replaceBody', target, fragment: 'one\n\n- two\n' })
  assert.equal(text, TEXT.replace('intro', 'one\n\n- two'))
  for (const fragment of ['one\n\n## X\n', '# X\n', '', '<!-- x\n'])
    assert.match(refuse(TEXT, { op: 'replaceBody', target, fragment }), /^FRAGMENT_/u)
})

test('examples of a requirement are changed as a table, and stay one', () => {
  const table = '| symbol | input | expected |\n|---|---|---|\n| f | 1 | 2 |'
  const text = `### REQ-1 [must] x\n\n\`\`\`examples\n${table}\n\`\`\`\n\nend\n`
  const target = 'requirement:REQ-1/examples:table'
  const more = `${table}\n| g | [] | {} |`
  assert.equal(
    apply(text, { op: 'replaceBody', target, fragment: more }),
    text.replace(table, more),
  )
  for (const fragment of [`${table}\n| g | 1 |`, `${table}\n\`\`\`\n`, 'x'])
    assert.match(refuse(text, { op: 'replaceBody', target, fragment }), /^FRAGMENT_/u)
  const replaced = { op: 'replaceSection', target: 'requirement:REQ-1' } as const
  assert.match(refuse(text, { ...replaced, fragment: '### REQ-2 [must] x\n' }), /^FRAGMENT_/u)
  assert.equal(
    apply(text, { ...replaced, fragment: '### REQ-1 [should] y\n' }),
    '### REQ-1 [should] y\n',
  )
})

test('a section goes with the blank lines behind it', () => {
  const removed = apply(TEXT, { op: 'remove', target: 'section:A/section:B' })
  assert.equal(removed, '# A\n\nintro\n\n## C\nc\n')
})
