import { type ReactNode, useEffect } from 'react'
import { PAGES, type PageName } from '../url/pages.ts'
import './page.css'

/** A page: its name, one line that explains it, and what can be done with all of it. */
export function Page({
  name,
  actions,
  children,
}: {
  readonly name: PageName
  readonly actions?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  const { title, explains, docs } = PAGES[name]
  useEffect(() => {
    document.title = `${title} · Rubicon`
  }, [title])
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header className="page-head">
        <h1>{title}</h1>
        <p className="quiet">
          {explains} <a href={`/docs/${docs}`}>More</a>
        </p>
        {actions === undefined ? null : <div className="page-actions row">{actions}</div>}
      </header>
      <div className="page-body">{children}</div>
    </main>
  )
}
