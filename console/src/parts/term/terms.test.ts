import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TERMS } from './terms.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const GLOSSARY = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')

/** Without marks of the page: links and code. */
function toPlainText(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
}

function listRows(): ReadonlyMap<string, string> {
  const rows = [...GLOSSARY.matchAll(/^\| \*\*([^*]+)\*\* \| (.*) \|$/gm)]
  return new Map(rows.map(([, word = '', means = '']) => [word, toPlainText(means)]))
}

test('every word that the console explains is explained so in the glossary', () => {
  const rows = listRows()
  assert.ok(rows.size > 90)
  for (const [word, means] of Object.entries(TERMS)) assert.equal(means, rows.get(word), word)
})

test('every word is used, and every word that is used is known', () => {
  const sources = globSync('**/*.tsx', { cwd: join(ROOT, 'console/src') }).map((path) =>
    readFileSync(join(ROOT, 'console/src', path), 'utf8'),
  )
  const used = sources
    .flatMap((text) => [...text.matchAll(/<Term\s[^>]*>/g)])
    .flatMap(([tag]) => [...tag.matchAll(/"([^"]+)"|'([^']+)'/g)])
    .map(([, double, single]) => double ?? single)
  const known = Object.keys(TERMS)
  for (const word of known) assert.ok(used.includes(word), `\`${word}\` is used nowhere`)
  for (const word of used) assert.ok(known.includes(word ?? ''), `\`${word}\` is explained nowhere`)
})
