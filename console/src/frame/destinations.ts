/** Where a text could lead: pages by name, things by the look of their ids. */
import { getPagePath, PAGE_NAMES, PAGES } from '../url/pages.ts'

export type Destination = { readonly label: string; readonly hint: string; readonly href: string }

const DFID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i
const ENTRY = /^#?(\d{1,15})$/
const CODE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/
const AGENT = /^[A-Za-z][A-Za-z0-9._@-]{0,127}$/
/** What the search of the ledger reads, beside the above. */
const TERM = /^(sha256:[0-9a-f]{8,64}|[a-z0-9._-]+\/\d+|(agent|kind|code|dfid|trajectory):\S+)$/i

export function listDestinations(text: string): readonly Destination[] {
  const wanted = text.trim()
  const pages = PAGE_NAMES.filter((name) => isMatch(PAGES[name].title, wanted)).map((name) => ({
    label: PAGES[name].title,
    hint: `g ${PAGES[name].key}`,
    href: getPagePath(name),
  }))
  return [...pages, ...listThings(wanted)]
}

/** By the look of an id; what is no id may be the name of an agent. */
export function listThings(wanted: string): readonly Destination[] {
  if (DFID.test(wanted))
    return [{ label: 'flow', hint: wanted, href: `/flows/${wanted}` }, search(wanted)]
  const [, entry] = ENTRY.exec(wanted) ?? []
  if (entry !== undefined)
    return [{ label: `entry ${entry} of the ledger`, hint: '', href: `/ledger/${entry}` }]
  const isRead = (term: string): boolean => CODE.test(term) || TERM.test(term)
  if (wanted.split(/\s+/).every(isRead)) return [search(wanted)]
  if (!AGENT.test(wanted)) return []
  const agent = encodeURIComponent(wanted)
  const flows = { label: `flows of agent ${wanted}`, hint: '', href: `/flows?agent=${agent}` }
  return [flows, search(`agent:${wanted}`)]
}

function search(terms: string): Destination {
  return {
    label: `search the ledger for ${terms}`,
    hint: '',
    href: `/ledger?q=${encodeURIComponent(terms)}`,
  }
}

function isMatch(title: string, wanted: string): boolean {
  return title.toLowerCase().includes(wanted.toLowerCase())
}
