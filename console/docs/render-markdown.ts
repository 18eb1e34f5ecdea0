/** From the Markdown of a page to HTML without scripts, with anchors as GitHub makes them. */
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from './escape-html.ts'
import { paintCode } from './paint-code.ts'

export type Rendered = {
  readonly html: string
  readonly title: string
  /** The second-level headings, for the list of what is on the page. */
  readonly parts: readonly Part[]
  readonly anchors: ReadonlySet<string>
}

export type Part = {
  readonly anchor: string
  readonly text: string
  /** Where what stands below the heading leads. */
  readonly links: readonly string[]
}

/** Where a link of the page leads; null: to nothing that is here, so it is no link. */
export type Resolve = (href: string) => string | null

export function renderMarkdown(markdown: string, resolve: Resolve): Rendered {
  const anchors = new Set<string>()
  const parts: { anchor: string; text: string; links: string[] }[] = []
  let title = ''
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const plain = toPlainText(text)
        const anchor = createAnchor(plain, anchors)
        if (depth === 1) title = plain
        if (depth === 2) parts.push({ anchor, text: plain, links: [] })
        const inner = this.parser.parseInline(tokens)
        const mark = `<a class="anchor" href="#${anchor}" aria-label="link to ${escapeHtml(plain)}">#</a>`
        return `<h${depth} id="${anchor}">${inner}${depth === 1 ? '' : mark}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = resolve(href)
        if (target !== null) parts.at(-1)?.links.push(target)
        return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`
      },
      image({ href, text }) {
        const source = resolve(href)
        return source === null ? '' : `<img src="${escapeHtml(source)}" alt="${escapeHtml(text)}">`
      },
      code: ({ text, lang }) => renderCodeBlock(text, lang ?? ''),
      // Comments are for whoever tries the page; other markup is shown as it was written.
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
      table(token) {
        const renderInline = (cell: Tokens.TableCell): string =>
          this.parser.parseInline(cell.tokens)
        return `<div class="wide" tabindex="0">${renderTable(token, renderInline, anchors)}</div>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { html, title, parts, anchors }
}

/** The file that a block is, if it is one, stands above it. */
function renderCodeBlock(text: string, info: string): string {
  const [language = '', ...words] = info.split(' ')
  const file = words.find((word) => word.includes('.'))
  const name = file === undefined ? '' : `<p class="file">${escapeHtml(file)}</p>`
  const code = `<pre tabindex="0"><code>${paintCode(text, language)}</code></pre>`
  return `${name}<div class="code">${code}</div>\n`
}

/** A row that begins with a word in bold explains it, and can be linked to. */
const BOLD = /^\*\*([^*]+)\*\*$/

function renderTable(
  { header, rows }: Tokens.Table,
  inline: (cell: Tokens.TableCell) => string,
  anchors: Set<string>,
): string {
  const named = header.some(({ text }) => text !== '')
  // A heading that says nothing is none.
  const renderCell = (cell: Tokens.TableCell, tag: 'td' | 'th'): string => {
    const shown = cell.text === '' ? 'td' : tag
    return `<${shown}>${inline(cell)}</${shown}>`
  }
  const renderRow = (cells: readonly Tokens.TableCell[], tag: 'td' | 'th'): string => {
    const word = BOLD.exec(cells[0]?.text ?? '')?.[1]
    const id = word === undefined ? '' : ` id="${createAnchor(word, anchors)}"`
    return `<tr${id}>${cells.map((cell) => renderCell(cell, tag)).join('')}</tr>`
  }
  const head = named ? `<thead>${renderRow(header, 'th')}</thead>` : ''
  return `<table>${head}<tbody>${rows.map((cells) => renderRow(cells, 'td')).join('\n')}</tbody></table>`
}

function toPlainText(text: string): string {
  return text.replaceAll(/[`*]/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}

/** Lower case, words joined by hyphens; a second one of the same name is numbered. */
function createAnchor(text: string, taken: Set<string>): string {
  const words = text.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  const base = words.trim().replaceAll(/\s/g, '-')
  let anchor = base
  for (let count = 1; taken.has(anchor); count++) anchor = `${base}-${count}`
  taken.add(anchor)
  return anchor
}
