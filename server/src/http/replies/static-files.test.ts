import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { loadStaticFiles } from './static-files.ts'

function built(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-static-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'site/assets'), { recursive: true })
  mkdirSync(join(folder, 'site/docs/guides'), { recursive: true })
  writeFileSync(join(folder, 'site/index.html'), 'console')
  writeFileSync(join(folder, 'site/assets/index-abc.js'), 'script')
  writeFileSync(join(folder, 'site/docs/index.html'), 'docs')
  writeFileSync(join(folder, 'site/docs/guides/a.html'), 'guide')
  writeFileSync(join(folder, 'site/docs/404.html'), 'not here')
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  return join(folder, 'site')
}

function textAt(folder: string | null, url: string): string | null {
  const reply = loadStaticFiles(folder).find({ url, known: undefined })
  return reply === null ? null : Buffer.from(reply.body as Uint8Array).toString()
}

test('every page of the console is the one file; what is open in it is the page’s affair', (t) => {
  const folder = built(t)
  for (const url of ['/', '/inbox', '/flows/0199', '/executions/0199:step.1', '/agents?x=1'])
    assert.equal(textAt(folder, url), 'console', url)
})

test('files and docs are found by their names, with and without the ending', (t) => {
  const folder = built(t)
  assert.equal(textAt(folder, '/assets/index-abc.js'), 'script')
  for (const url of ['/docs', '/docs/', '/docs/index.html'])
    assert.equal(textAt(folder, url), 'docs')
  for (const url of ['/docs/guides/a', '/docs/guides/a.html'])
    assert.equal(textAt(folder, url), 'guide')
})

test('nothing outside of what was built can be asked for, and nothing of the API is a page', (t) => {
  const folder = built(t)
  for (const url of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/docs/../../secret',
    '/assets/index-abc.js/..',
    '/docs/nowhere',
    '/assets/none.js',
    '/v1/none',
    '/mcp',
    '/secret.txt',
  ]) {
    const found = textAt(folder, url)
    assert.ok(found === null || found === 'console', `${url}: ${found}`)
  }
  for (const url of ['/v1/none', '/docs/nowhere', '/assets/none.js', '/secret.txt'])
    assert.equal(textAt(folder, url), null, url)
})

test('a reader who follows a link of the docs to nowhere gets a page that says so', (t) => {
  const files = loadStaticFiles(built(t))
  const at = (url: string, accepts: string) => files.find({ url, known: undefined, accepts })
  const page = at('/docs/nowhere', 'text/html,application/xhtml+xml')
  assert.equal(page?.status, 404)
  assert.equal(Buffer.from(page?.body as Uint8Array).toString(), 'not here')
  assert.match(page?.headers?.['content-type'] ?? '', /^text\/html/)
  assert.equal(at('/docs/nowhere', 'application/json'), null)
  assert.equal(at('/v1/none', 'text/html'), null)
})

test('names with a hash are kept for ever, pages are asked for each time', (t) => {
  const files = loadStaticFiles(built(t))
  const script = files.find({ url: '/assets/index-abc.js', known: undefined })
  assert.match(script?.headers?.['cache-control'] ?? '', /immutable/)
  const page = files.find({ url: '/', known: undefined })
  assert.equal(page?.headers?.['cache-control'], 'no-cache')
  const etag = page?.headers?.etag
  assert.equal(files.find({ url: '/', known: etag })?.status, 304)
  assert.equal(files.find({ url: '/', known: '"other"' })?.status, 200)
})

test('a console that was not built says how to build it', () => {
  const reply = loadStaticFiles(null).find({ url: '/inbox', known: undefined })
  assert.equal(reply?.status, 404)
  assert.match(String(reply?.body), /npm run build/)
  assert.equal(loadStaticFiles(null).find({ url: '/v1/x', known: undefined }), null)
})
