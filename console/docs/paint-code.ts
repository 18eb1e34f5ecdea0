/**
 * Colours of code, put in when pages are built: comments, texts, numbers and keywords, in a way that is right enough
 * for every language of the docs. Everything else stays as it is, and nothing is left out.
 */
import { escapeHtml } from './escape-html.ts'

const KEYWORDS: Readonly<Record<string, string>> = {
  ts: 'import export from const let type function async await return if else for of new class extends as interface readonly true false null undefined throw try catch finally',
  js: 'import export from const let function async await return if else for of new class extends true false null undefined throw try catch finally',
  cedar: 'permit forbid principal action resource when unless context has like in is true false',
  sh: 'cd npm npx node curl if then fi for do done set echo cat sed mkdir',
  yaml: 'true false null',
  json: 'true false null',
  sql: 'select from where and or order by group as join on',
}
const HASH_COMMENTS: ReadonlySet<string> = new Set(['sh', 'yaml'])
const TEXT = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/
const NUMBER = /\b\d[\d_.]*\b/
const WORD = /[A-Za-z_]\w*/

export function paintCode(text: string, language: string): string {
  const keywords = KEYWORDS[language]
  if (keywords === undefined) return escapeHtml(text)
  const known = new Set(keywords.split(' '))
  const comment = HASH_COMMENTS.has(language) ? /(?<=^|\s)#.*/ : /\/\/.*|\/\*[\s\S]*?\*\//
  const parts = [comment, TEXT, NUMBER, WORD].map(({ source }) => `(${source})`)
  let html = ''
  let end = 0
  for (const found of text.matchAll(new RegExp(parts.join('|'), 'gm'))) {
    const [whole, isComment, isText, isNumber] = found
    html += escapeHtml(text.slice(end, found.index))
    end = found.index + whole.length
    if (isComment !== undefined) html += renderPart('comment', whole)
    else if (isText !== undefined) html += renderPart('text', whole)
    else if (isNumber !== undefined) html += renderPart('number', whole)
    else html += known.has(whole) ? renderPart('keyword', whole) : escapeHtml(whole)
  }
  return html + escapeHtml(text.slice(end))
}

function renderPart(kind: string, text: string): string {
  return `<span class="code-${kind}">${escapeHtml(text)}</span>`
}
