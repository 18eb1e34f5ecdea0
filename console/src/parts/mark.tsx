import type { ReactNode } from 'react'
import './mark.css'

/** The mark of Rubicon: a river, and the line that crosses it. `public/mark.svg` is the same for browsers' tabs. */
export function Mark(): ReactNode {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <rect className="mark-ground" width="24" height="24" rx="6" />
      <path d="M4 13.6c1.4-2 3-2.4 4.9-1.2 M15.1 11.6c1.9 1.2 3.5.8 4.9-1.2 M9.4 19 14.6 5" />
    </svg>
  )
}
