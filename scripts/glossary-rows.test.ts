import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { renderMarkdown } from '../console/docs/render-markdown.ts'

const GLOSSARY = readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8')

test('every word of the glossary can be linked to', () => {
  const { html } = renderMarkdown(GLOSSARY, (href) => href)
  const words = [...GLOSSARY.matchAll(/^\| \*\*([^*]+)\*\* \|/gm)].map(([, word = '']) => word)
  assert.ok(words.length > 90)
  for (const word of words) {
    const anchor = word.toLowerCase().replaceAll(' ', '-')
    assert.ok(html.includes(`<tr id="${anchor}">`), word)
  }
})
