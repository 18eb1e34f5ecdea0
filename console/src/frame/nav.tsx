import type { ReactNode } from 'react'
import { Link } from '../url/link.tsx'
import { PAGE_NAMES, PAGES, type PageName } from '../url/pages.ts'
import './nav.css'

export function Nav({ page }: { readonly page: PageName | null }): ReactNode {
  return (
    <nav className="nav" aria-label="pages">
      <a className="nav-skip" href="#main">
        skip to content
      </a>
      <Link className="nav-name" href="/inbox">
        Rubicon
      </Link>
      <ul className="nav-pages">
        {PAGE_NAMES.map((name) => (
          <li key={name}>
            <Link
              className="nav-page"
              href={`/${name}`}
              title={PAGES[name].question}
              {...(name === page ? { 'aria-current': 'page' as const } : {})}
            >
              {PAGES[name].title}
            </Link>
          </li>
        ))}
        <li>
          <a className="nav-page" href="/docs/">
            Docs
          </a>
        </li>
      </ul>
    </nav>
  )
}
