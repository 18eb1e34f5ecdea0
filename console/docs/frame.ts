/** What is around every page of the docs. */
import type { DocsPage } from './docs-page.ts'
import { escapeHtml } from './escape-html.ts'
import { renderSideList } from './side-list.ts'

export function renderFrame(pages: readonly DocsPage[], page: DocsPage): string {
  const list = renderSideList(pages, page)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Rubicon</title>
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#page">To the page</a>
<header><a class="home" href="/docs/"><img class="mark" src="/mark.svg" width="24" height="24" alt="">Rubicon docs</a> <a href="/">Console</a> <a class="menu" href="#pages">All pages</a>
<search hidden><input id="search-field" class="search-field" type="search" aria-label="search the docs" placeholder="Search (/)" autocomplete="off"><p id="search-said" class="search-said" role="status"></p><ul id="search-list" class="search-list" hidden></ul></search></header>
<div class="columns">
<nav id="pages" aria-label="docs">
${list}
</nav>
<main id="page">
${page.html}
</main>
${renderPartsList(page)}
</div>
</body>
</html>
`
}

/** Worth its room only on long pages. */
function renderPartsList({ parts }: DocsPage): string {
  if (parts.length < 3) return '<div></div>'
  const items = parts.map(
    ({ anchor, text }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="parts" aria-label="on this page"><details id="parts"><summary class="parts-title">On this page</summary><ul>${items.join('')}</ul></details></nav>`
}
