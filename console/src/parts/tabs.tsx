import type { ReactNode } from 'react'
import { Link } from '../url/link.tsx'
import { replaceQuery } from '../url/location.ts'
import './tabs.css'

export type Tab = { readonly value: string; readonly label: string; readonly count?: number }

/** Views of one thing. They are links: which one is open stands in the address. */
export function Tabs({
  label,
  name,
  tabs,
  value,
  path,
}: {
  readonly label: string
  /** In the query. The first tab is the usual one and is left out of it. */
  readonly name: string
  readonly tabs: readonly Tab[]
  readonly value: string
  /** Where all of them are, with nothing but the tab in the query; the address as it is, when left out. */
  readonly path?: string
}): ReactNode {
  const toHref = (tab: string): string => {
    if (path === undefined) return replaceQuery({ [name]: tab })
    return tab === '' ? path : `${path}?${name}=${tab}`
  }
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab, index) => (
        <Link
          key={tab.value}
          className="tab"
          href={toHref(index === 0 ? '' : tab.value)}
          replace
          {...(tab.value === value ? { 'aria-current': 'page' as const } : {})}
        >
          {tab.label}
          {tab.count === undefined ? null : <span className="tab-count"> {tab.count}</span>}
        </Link>
      ))}
    </nav>
  )
}
