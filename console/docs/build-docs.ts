/**
 * Builds the docs as static pages: `docs/**` of the repository, readable there as well. One script,
 * for the search and the copy buttons; nothing from elsewhere.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { buildDocsPage, type DocsPage } from './docs-page.ts'
import { renderFrame } from './frame.ts'
import { renderMarkdown } from './render-markdown.ts'
import { buildSearchIndex } from './search-index.ts'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))
const TYPEFACE = '../src/style/typeface.css'
const STYLES: readonly string[] = [
  '../src/style/tokens.css',
  './side.css',
  './docs.css',
  './search.css',
  './code.css',
]

const SCRIPT = fileURLToPath(new URL('../src/docs-pages/main.ts', import.meta.url))

/** Shown by the server in place of what is not here. */
const MISSING: DocsPage = {
  path: '404.md',
  url: '/docs/404',
  file: '404.html',
  links: [],
  ...renderMarkdown(
    '# Not here\n\nThe docs have no page of this name. What there is stands in the list; every reason code has a page in the [list of reasons](reasons/README.md).\n',
    () => '/docs/reasons/',
  ),
}

/** Returns the pages that were written. */
export async function buildDocs(outDir: string): Promise<readonly DocsPage[]> {
  const names = globSync('**/*.*', { cwd: DOCS }).map((name) => name.split(sep).join('/'))
  const files: ReadonlySet<string> = new Set(names.sort())
  const pages = [...files]
    .filter((path) => path.endsWith('.md'))
    .map((path) => buildDocsPage(path, readFileSync(join(DOCS, path), 'utf8'), files))
  for (const page of pages) write(join(outDir, page.file), renderFrame(pages, page))
  write(join(outDir, MISSING.file), renderFrame(pages, MISSING))
  for (const path of files) if (!path.endsWith('.md')) copy(path, outDir)
  const styles = [copyTypeface(outDir), ...STYLES.map(readStyle)]
  write(join(outDir, 'docs.css'), styles.join('\n'))
  write(join(outDir, 'search.json'), JSON.stringify(buildSearchIndex(pages)))
  await buildScript(outDir)
  return pages
}

function readStyle(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

/** The typefaces of the console, as files of the docs: these pages are read without it, too. */
function copyTypeface(outDir: string): string {
  return readStyle(TYPEFACE).replaceAll(PACKAGED, (_, file: string) => {
    const name = basename(file)
    mkdirSync(join(outDir, 'fonts'), { recursive: true })
    copyFileSync(fileURLToPath(import.meta.resolve(file)), join(outDir, 'fonts', name))
    return `url("/docs/fonts/${name}")`
  })
}

const PACKAGED = /url\("(@fontsource-variable\/[^"]+)"\)/g

/** One file, which asks for no other. */
async function buildScript(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: dirname(SCRIPT),
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2024',
      lib: { entry: SCRIPT, formats: ['es'], fileName: () => 'docs.js' },
    },
  })
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function copy(path: string, outDir: string): void {
  const target = join(outDir, path)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(join(DOCS, path), target)
}
