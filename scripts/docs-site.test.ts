/** The built docs: every link leads somewhere, every reason has its page, nothing comes from elsewhere. */
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { REASON_CODES } from 'rubicon-kernel'
import { buildDocs } from '../console/docs/build-docs.ts'
import { buildDocsPage } from '../console/docs/docs-page.ts'
import { listSections } from '../console/docs/side-list.ts'
import { ROOT } from './shell.ts'

const out = mkdtempSync(join(tmpdir(), 'rubicon-site-'))
after(() => rmSync(out, { recursive: true, force: true }))
const pages = await buildDocs(join(out, 'docs'))
const byUrl = new Map(pages.map((page) => [page.url, page]))

function htmlOf(file: string): string {
  return readFileSync(join(out, 'docs', file), 'utf8')
}

test('every link of every page leads to a page, and to a part that is on it', () => {
  const broken = pages.flatMap(({ path, file }) =>
    [...htmlOf(file).matchAll(/ (?:href|src)="([^"]*)"/g)].flatMap(([, link = '']) => {
      const [address = '', anchor] = link.split('#')
      const isOutside = /^https:/.test(address) || address === '/' || address === '/mark.svg'
      if (isOutside) return []
      const target = address === '' ? pages.find((page) => page.file === file) : byUrl.get(address)
      if (target === undefined && existsSync(join(out, address))) return []
      const isThere = target !== undefined && (anchor === undefined || isPart(target.file, anchor))
      return isThere ? [] : [`${path}: ${link}`]
    }),
  )
  assert.deepEqual(broken, [])
})

function isPart(file: string, anchor: string): boolean {
  return htmlOf(file).includes(` id="${anchor}"`)
}

test('a page that is linked from the docs of the repository is a page here', () => {
  const lost = pages.flatMap(({ path }) => {
    const text = readFileSync(join(ROOT, 'docs', path), 'utf8').replaceAll(/```[\s\S]*?```/g, '')
    const links = [...text.matchAll(/\]\(([^)\s#]+\.md)/g)].map(([, link = '']) => link)
    const inside = links.filter((link) => !link.startsWith('https:') && isInDocs(path, link))
    const html = htmlOf(pages.find((page) => page.path === path)?.file ?? '')
    return inside.filter((link) => !html.includes(`href="${addressOf(path, link)}`))
  })
  assert.deepEqual(lost, [])
})

function isInDocs(path: string, link: string): boolean {
  return !join(path, '..', link).startsWith('..')
}

function addressOf(path: string, link: string): string {
  const target = join(path, '..', link)
  return pages.find((page) => page.path === target)?.url ?? 'no page'
}

test('the list beside a page has every page once, in the order of the index', () => {
  const listed = listSections(pages).flatMap(({ pages: held }) => held.map(({ path }) => path))
  // Reasons are many: their index is enough.
  const wanted = pages
    .filter(({ path }) => !/^reasons\/(?!README)/.test(path))
    .map(({ path }) => path)
  assert.deepEqual(listed.toSorted(), wanted.toSorted())
  const [, start] = listSections(pages)
  assert.equal(start?.pages[0]?.path, 'getting-started.md')
})

test('every reason code has its page, and so has everything that the console refers to', () => {
  for (const code of REASON_CODES) assert.ok(byUrl.has(`/docs/reasons/${code}`), code)
  const text = readFileSync(join(ROOT, 'console/src/url/pages.ts'), 'utf8')
  const named = [...text.matchAll(/docs: '([^']+)'/g)].map(([, name]) => name)
  assert.ok(named.length > 0)
  for (const name of named) assert.ok(byUrl.has(`/docs/${name}`), name)
})

test('pages name one script, hold none and no styles of their own, and fetch nothing from elsewhere', () => {
  const named = '<script type="module" src="/docs/docs.js"></script>\n'
  for (const { file } of pages) {
    const [before = '', rest = '', ...more] = htmlOf(file).split(named)
    assert.deepEqual([before === '', rest === '', more], [false, false, []], file)
    const html = `${before}${rest}`.replaceAll(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, '')
    assert.doesNotMatch(html, /<script|<style| style=| on[a-z]+=|src="http|<link[^>]*http/, file)
  }
})

test('text that looks like markup is shown, not run', () => {
  const page = buildDocsPage(
    'a.md',
    '# A <b>\n\n<script>x</script>\n\n`<i>` [x](javascript:x)\n',
    new Set(),
  )
  assert.doesNotMatch(page.html, /<script|<b>|<i>/)
  assert.doesNotMatch(page.html, /href="javascript/)
})

test('what is not a page is there as it is', () => {
  const files = globSync('docs/**/*.{png,svg}', { cwd: ROOT })
  for (const file of files) assert.ok(existsSync(join(out, file)), file)
})

test('the script is one file, without what the policy of the server refuses', () => {
  const script = htmlOf('docs.js')
  assert.doesNotMatch(script, /^import |innerHTML|eval\(|new Function|https?:\/\//m)
  assert.ok(script.length < 16_000, `${script.length} characters`)
})

type Section = { readonly url: string; readonly title: string; readonly words: string }

test('the index of the search leads to every page, and to parts that are on it', () => {
  const sections: readonly Section[] = JSON.parse(htmlOf('search.json'))
  const lost = sections.filter(({ url }) => {
    const [address = '', anchor] = url.split('#')
    const page = byUrl.get(address)
    return page === undefined || (anchor !== undefined && !isPart(page.file, anchor))
  })
  assert.deepEqual(lost, [])
  const found = new Set(sections.map(({ url }) => url))
  for (const { url } of pages) assert.ok(found.has(url), url)
  assert.ok(htmlOf('search.json').length < 1_500_000, 'it is read whole by a browser')
})

test('colours leave the text of a block as it is', () => {
  const text = 'const a = \'x < y\' // <b> & "c"\nif (a) { return 1_000 }'
  const page = buildDocsPage('a.md', `# A\n\n\`\`\`ts a.ts\n${text}\n\`\`\`\n`, new Set())
  const [, code = ''] = /<code>([\s\S]*)<\/code>/.exec(page.html) ?? []
  const shown = code
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
  assert.equal(shown, text)
  assert.match(code, /<span class="code-keyword">const<\/span>/)
  assert.match(code, /<span class="code-comment">/)
})
