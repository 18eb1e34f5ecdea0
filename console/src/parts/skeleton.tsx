import type { ReactNode } from 'react'
import './skeleton.css'

/** What comes there: rows of a list, the parts of one thing, some lines of it, or cards. */
export type SkeletonShape = 'rows' | 'detail' | 'lines' | 'cards'

const SHAPES: Readonly<Record<SkeletonShape, readonly string[]>> = {
  rows: ['80%', '64%', '72%', '58%', '76%', '66%', '70%', '60%'],
  detail: ['24%', '46%', '88%', '82%', '64%', '40%'],
  lines: ['60%', '72%', '48%'],
  cards: ['100%', '100%', '100%', '100%'],
}

/** The place of what is being loaded, in its shape, so that nothing jumps when it comes. It does not move. */
export function Skeleton({ shape }: { readonly shape: SkeletonShape }): ReactNode {
  return (
    <div className={`skeleton skeleton-${shape}`} aria-hidden="true">
      {SHAPES[shape].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars of a drawing, which have nothing else
        <span key={index} className="skeleton-bar" style={{ maxWidth: width }} />
      ))}
    </div>
  )
}
