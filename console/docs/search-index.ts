/** The index that the docs are searched by: a file of their parts, read by a browser. */
import { splitWords } from '../src/docs-pages/rank-sections.ts'
import type { SearchSection } from '../src/docs-pages/search-section.ts'
import type { DocsPage } from './docs-page.ts'

/** Generated lists are long, and are searched by their headings. */
const BY_HEADINGS = /^reference\/(http|library-)/
const SHORTEST = 3

export function buildSearchIndex(pages: readonly DocsPage[]): readonly SearchSection[] {
  return pages.flatMap(listSections)
}

function listSections({ path, url, title, html }: DocsPage): readonly SearchSection[] {
  const isLong = BY_HEADINGS.test(path)
  return html.split(/(?=<h[23] id=")/).map((part) => {
    const found = /^<h[23] id="([^"]*)">(.*?)<a class="anchor"/.exec(part)
    const [, anchor, heading] = found ?? []
    return {
      url: anchor === undefined ? url : `${url}#${anchor}`,
      title,
      heading: heading === undefined ? title : stripMarkup(heading),
      words: isLong ? '' : listWords(stripMarkup(part)),
    }
  })
}

function listWords(text: string): string {
  const words = splitWords(text).filter((word) => word.length >= SHORTEST)
  return [...new Set(words)].join(' ')
}

const SIGNS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

function stripMarkup(html: string): string {
  const text = html.replaceAll(/<[^>]*>/g, ' ')
  return text.replaceAll(/&[a-z#0-9]+;/g, (sign) => SIGNS[sign] ?? ' ').trim()
}
