import { type ReactNode, useEffect } from 'react'
import { useWaiting } from '../api/waiting.tsx'
import { PAGES, type PageName } from '../url/pages.ts'
import './page.css'

/** A page: its name, one line that explains it, and what can be done with all of it. */
export function Page({
  name,
  actions,
  ground = false,
  children,
}: {
  readonly name: PageName
  readonly actions?: ReactNode
  /** What it shows lies on the ground, as cards; else it is one surface. */
  readonly ground?: boolean
  readonly children: ReactNode
}): ReactNode {
  const { title, explains, docs } = PAGES[name]
  const waiting = useWaiting() ?? 0
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · Rubicon`
  }, [title, waiting])
  return (
    <main className={ground ? 'page page-ground' : 'page'} id="main" tabIndex={-1}>
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
