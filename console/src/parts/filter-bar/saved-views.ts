/**
 * Views of lists: a name for what stands in the address. Those that somebody saves are kept in this browser; they are
 * shared as what they are, an address.
 */
export type ListPage = 'flows' | 'executions' | 'ledger' | 'inbox'
export type SavedView = { readonly page: ListPage; readonly name: string; readonly query: string }

/** For everybody, and first. */
export const USUAL_VIEWS: readonly SavedView[] = [
  { page: 'flows', name: 'All flows', query: '' },
  { page: 'flows', name: 'Refused in the last 24 hours', query: 'outcome=rejected&within=24h' },
  { page: 'flows', name: 'Waiting for a person', query: 'in=waiting' },
  { page: 'flows', name: 'Running', query: 'in=running' },
  { page: 'flows', name: 'Needs a review', query: 'tag=NEEDS_REVIEW' },
  { page: 'executions', name: 'Uncertain', query: '' },
  { page: 'executions', name: 'Failed in the last 7 days', query: 'in=failed&within=7d' },
  { page: 'executions', name: 'Sent in the last hour', query: 'in=all&within=1h' },
  { page: 'ledger', name: 'All entries', query: '' },
  { page: 'ledger', name: 'Refusals of the last 24 hours', query: 'kind=rejection&within=24h' },
  { page: 'ledger', name: 'What people decided', query: 'kind=approval' },
  { page: 'inbox', name: 'Waiting on me', query: '' },
  { page: 'inbox', name: 'Fast track', query: 'in=fast' },
  { page: 'inbox', name: 'Over in the last 7 days', query: 'state=closed&within=7d' },
  { page: 'inbox', name: 'Asked in the last 24 hours', query: 'within=24h' },
]

const MOST = 100
export const NAME_LENGTH = 60

/** What a browser kept; whatever is no view is left out. */
export function parseViews(text: string | null): readonly SavedView[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(read) ? read.filter(isView).slice(0, MOST) : []
  } catch {
    return []
  }
}

const PAGES: readonly string[] = ['flows', 'executions', 'ledger', 'inbox']

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false
  const { page, name, query } = { page: '', name: '', query: null, ...value }
  return (
    PAGES.includes(page) && typeof name === 'string' && name !== '' && typeof query === 'string'
  )
}

/** One of the same name on the same page is replaced; the newest stands last. */
export function addView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  return [...dropView(views, view), view].slice(-MOST)
}

export function dropView(
  views: readonly SavedView[],
  { page, name }: Pick<SavedView, 'page' | 'name'>,
): readonly SavedView[] {
  return views.filter((kept) => kept.page !== page || kept.name !== name)
}

/** Whether an address shows this view: the order of its members says nothing. */
export function isShown({ query }: SavedView, shown: URLSearchParams): boolean {
  return sortQuery(new URLSearchParams(query)) === sortQuery(new URLSearchParams(shown))
}

function sortQuery(query: URLSearchParams): string {
  query.sort()
  return query.toString()
}
