/** Where a text could lead: pages by name, things by the look of their ids. */
import { PAGE_NAMES, PAGES } from '../url/pages.ts'

export type Destination = { readonly label: string; readonly hint: string; readonly href: string }

const DFID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i
const IDENTIFIER = /^[A-Za-z0-9._:@-]{1,128}$/

export function destinations(text: string): readonly Destination[] {
  const wanted = text.trim()
  const pages = PAGE_NAMES.filter((name) => matches(PAGES[name].title, wanted)).map((name) => ({
    label: PAGES[name].title,
    hint: `g ${PAGES[name].key}`,
    href: `/${name}`,
  }))
  return [...pages, ...things(wanted)]
}

function things(wanted: string): readonly Destination[] {
  if (wanted === '') return []
  const search = {
    label: `search the ledger for ${wanted}`,
    hint: '',
    href: `/ledger?q=${encodeURIComponent(wanted)}`,
  }
  if (DFID.test(wanted)) return [{ label: 'flow', hint: wanted, href: `/flows/${wanted}` }, search]
  if (!IDENTIFIER.test(wanted)) return [search]
  const agent = encodeURIComponent(wanted)
  return [{ label: `flows of agent ${wanted}`, hint: '', href: `/flows?agent=${agent}` }, search]
}

function matches(title: string, wanted: string): boolean {
  return title.toLowerCase().includes(wanted.toLowerCase())
}
