/** The list beside every page: what there is, in the order in which it is read. */
import type { DocsPage } from './docs-page.ts'
import { escapeHtml } from './escape-html.ts'

type Section = { readonly title: string; readonly holds: (path: string) => boolean }

/** A page stands in the first section that holds it. Reasons are many: their index is enough. */
const SECTIONS: readonly Section[] = [
  { title: 'Start', holds: (path) => START.includes(path) },
  { title: 'Guides', holds: (path) => path.startsWith('guides/') },
  {
    title: 'Reference',
    holds: (path) =>
      path.startsWith('reference/') || path === 'reasons/README.md' || path === 'glossary.md',
  },
  { title: 'Specification', holds: (path) => path.startsWith('spec/') },
  { title: 'Decisions', holds: (path) => path.startsWith('decisions/') },
]

const START: readonly string[] = [
  'README.md',
  'getting-started.md',
  'concepts.md',
  'context-as-code.md',
]
const ORDER: readonly string[] = [
  ...START,
  'guides/escalations.md',
  'guides/console-tour-for-approvers.md',
  'guides/sources-of-facts.md',
  'guides/budgets.md',
  'guides/what-an-agent-is-shown.md',
  'guides/agents-that-spawn.md',
  'guides/idempotent-capabilities.md',
  'guides/tools-from-a-manifest.md',
  'guides/jobs-of-several-effects.md',
  'guides/policies-in-cedar.md',
  'guides/contract-cookbook.md',
  'guides/testing-policies-in-ci.md',
  'guides/verifying-a-bundle.md',
  'guides/erasing-a-flow.md',
  'guides/keeping-the-store-small.md',
  'guides/deploying.md',
  'guides/production-checklist.md',
  'guides/security-model.md',
  'guides/performance.md',
  'guides/troubleshooting.md',
  'guides/comparison.md',
  'reference/cli.md',
  'reference/cli-json.md',
  'reference/http.md',
  'reference/library-agents.md',
  'reference/library-runtime.md',
  'reference/library-server.md',
  'reference/library-verifier.md',
  'reference/library-kernel.md',
  'reference/errors.md',
  'reference/limits.md',
]

export function renderSideList(pages: readonly DocsPage[], current: DocsPage): string {
  const lists = SECTIONS.map(({ title, holds }) => {
    const held = pages.filter(({ path }) => holds(path)).toSorted(compareByReadingOrder)
    const items = held.map((page) => renderItem(page, page.path === current.path)).join('')
    const isOpen = held.some(({ path }) => path === current.path) || title !== 'Decisions'
    const open = isOpen ? ' open' : ''
    return `<details${open}><summary>${title}</summary><ul>${items}</ul></details>`
  })
  return lists.join('\n')
}

function renderItem({ url, title }: DocsPage, isCurrent: boolean): string {
  const here = isCurrent ? ' aria-current="page"' : ''
  return `<li><a href="${url}"${here}>${escapeHtml(title)}</a></li>`
}

function compareByReadingOrder(a: DocsPage, b: DocsPage): number {
  return rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1)
}

function rank(path: string): number {
  const place = ORDER.indexOf(path)
  if (place >= 0) return place
  return path.endsWith('README.md') ? -1 : ORDER.length
}
