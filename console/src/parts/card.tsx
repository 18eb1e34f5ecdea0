import type { ReactNode } from 'react'
import { Link } from '../url/link.tsx'
import './card.css'

/** One answer on a page of several: what it is about, the answer, and where the rest of it is. */
export function Card({
  title,
  href,
  more,
  aside,
  children,
}: {
  readonly title: string
  /** The list behind it. */
  readonly href?: string
  /** What that link is called; by itself it says nothing of where it leads. */
  readonly more?: string
  /** Beside the title: a count, a time range. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className="card" aria-label={title}>
      <header className="card-head">
        <h2>{title}</h2>
        {aside === undefined ? null : <span className="card-aside quiet">{aside}</span>}
        {href === undefined ? null : (
          <Link className="card-more" href={href}>
            {more ?? title}
          </Link>
        )}
      </header>
      <div className="card-body">{children}</div>
    </section>
  )
}

/** Cards side by side where there is room, below each other where there is none. */
export function Cards({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="cards">{children}</div>
}
