/** A page of the docs: where it is in the repository, where it is read, and what is on it. */
import { posix } from 'node:path'
import { type Rendered, renderMarkdown } from './render-markdown.ts'

export type DocsPage = Rendered & {
  /** Below `docs/`. */
  readonly path: string
  readonly url: string
  /** Below what is built. */
  readonly file: string
  /** Links that lead to a page or a file of the docs. */
  readonly links: readonly string[]
}

const INDEX = 'README.md'

/** `files`: everything below `docs/`, by its path. */
export function buildDocsPage(
  path: string,
  markdown: string,
  files: ReadonlySet<string>,
): DocsPage {
  const links: string[] = []
  const resolve = (href: string): string | null => {
    if (/^[a-z]+:/i.test(href)) return href.startsWith('https:') ? href : null
    const [target = '', anchor] = href.split('#')
    const wanted = target === '' ? path : posix.normalize(posix.join(posix.dirname(path), target))
    const found = [wanted, posix.join(wanted, INDEX)].find((one) => files.has(one))
    // Sources are in the repository, not here.
    if (found === undefined) return null
    const url = `${toUrl(found)}${anchor === undefined ? '' : `#${anchor}`}`
    links.push(url)
    return url
  }
  const rendered = renderMarkdown(markdown, resolve)
  return { path, url: toUrl(path), file: toHtmlFile(path), links, ...rendered }
}

/** `guides/escalations.md` → `/docs/guides/escalations`; the index of a folder is the folder. */
function toUrl(path: string): string {
  if (!path.endsWith('.md')) return `/docs/${path}`
  if (posix.basename(path) !== INDEX) return `/docs/${path.slice(0, -'.md'.length)}`
  const folder = posix.dirname(path)
  return folder === '.' ? '/docs/' : `/docs/${folder}/`
}

function toHtmlFile(path: string): string {
  const isIndex = posix.basename(path) === INDEX
  return isIndex ? posix.join(posix.dirname(path), 'index.html') : path.replace(/\.md$/, '.html')
}
