/** The list beside every page: the sections of the index, then the specification and the decisions. */
import type { DocsPage } from './docs-page.ts'
import { escapeHtml } from './escape-html.ts'

type Section = { readonly title: string; readonly pages: readonly DocsPage[] }

const INDEX = 'README.md'
/** Folders with many pages of one kind; the index links to their first page alone. */
const FOLDERS = [
  { title: 'Specification', folder: 'spec/' },
  { title: 'Decisions', folder: 'decisions/' },
] as const

export function renderSideList(pages: readonly DocsPage[], current: DocsPage): string {
  const lists = listSections(pages).map(({ title, pages: held }) => {
    const items = held.map((page) => renderItem(page, page.path === current.path)).join('')
    const isOpen = held.some(({ path }) => path === current.path) || title !== 'Decisions'
    const open = isOpen ? ' open' : ''
    return `<details${open}><summary>${escapeHtml(title)}</summary><ul>${items}</ul></details>`
  })
  return lists.join('\n')
}

/** The order in which pages are read is that of the index, so that nobody has to write it down twice. */
export function listSections(pages: readonly DocsPage[]): readonly Section[] {
  const index = pages.find(({ path }) => path === INDEX)
  if (index === undefined) throw new Error(`the docs have no ${INDEX}`)
  const isInFolder = ({ path }: DocsPage): boolean =>
    FOLDERS.some(({ folder }) => path.startsWith(folder))
  const sections = index.parts.map(({ text, links }) => ({
    title: text,
    pages: links.flatMap((link) => pages.filter((page) => page.url === link && !isInFolder(page))),
  }))
  const folders = FOLDERS.map(({ title, folder }) => ({
    title,
    pages: pages.filter(({ path }) => path.startsWith(folder)).toSorted(compareIndexFirst),
  }))
  return [{ title: 'Docs', pages: [index] }, ...sections, ...folders]
}

function renderItem({ url, title }: DocsPage, isCurrent: boolean): string {
  const here = isCurrent ? ' aria-current="page"' : ''
  return `<li><a href="${url}"${here}>${escapeHtml(title)}</a></li>`
}

function compareIndexFirst(a: DocsPage, b: DocsPage): number {
  return rank(a) - rank(b) || (a.path < b.path ? -1 : 1)
}

function rank({ path }: DocsPage): number {
  return path.endsWith(INDEX) ? 0 : 1
}
