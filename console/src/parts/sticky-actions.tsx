import type { ReactNode } from 'react'
import './sticky-actions.css'

/**
 * The buttons of what is being read: below it, and on a phone at the thumb wherever one has read to. They stick inside
 * of the element around them, which has to be all that is read.
 */
export function StickyActions({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="sticky-actions">{children}</div>
}
