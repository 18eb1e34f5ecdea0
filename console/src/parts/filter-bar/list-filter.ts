/**
 * What a list is narrowed to, as the address says it. Members have the names that the server gives them, so that an
 * address can be read beside the API; `within` alone is the console's: a span that ends now is another one tomorrow.
 */
import type { FlowTag } from 'rubicon-agents/client'
import { computeSince } from './time-ranges.ts'

const TEXTS = [
  'words',
  'within',
  'since',
  'until',
  'agent',
  'kind',
  'reason',
  'measure',
  'amount_min',
  'amount_max',
] as const

export type FilterName = (typeof TEXTS)[number] | 'tag'

export type ListFilter = { readonly [Name in (typeof TEXTS)[number]]?: string } & {
  readonly tag?: FlowTag
}

export const TAG_WORDS: Readonly<Record<FlowTag, string>> = {
  NEEDS_REVIEW: 'needs a review',
  UNKNOWN: 'outcome unknown',
  DIRTY: 'half done',
  COMPENSATED: 'taken back',
  ERASED: 'erased',
  ARCHIVED: 'archived',
}

export function parseListFilter(query: URLSearchParams): ListFilter {
  const said = TEXTS.flatMap((name) => {
    const value = query.get(name)?.trim() ?? ''
    return value === '' ? [] : [[name, value] as const]
  })
  const tag = query.get('tag') ?? ''
  return { ...Object.fromEntries(said), ...(isTag(tag) ? { tag } : {}) }
}

function isTag(text: string): text is FlowTag {
  return Object.hasOwn(TAG_WORDS, text)
}

export type ServerFilter = Omit<ListFilter, 'within'> & { readonly counts: 'true' }

/** As the server is asked at this moment; tabs show how many rows there are. */
export function toServerFilter({ within, ...filter }: ListFilter, now: number): ServerFilter {
  const since = within === undefined ? undefined : computeSince(within, now)
  return { ...filter, ...(since === undefined ? {} : { since }), counts: 'true' }
}

/** Names a list: other filters are another list. */
export function formatFilterKey(filter: ListFilter): string {
  return JSON.stringify(Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1)))
}
