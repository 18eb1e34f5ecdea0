import type { ReactNode } from 'react'
import './members.css'

/** Names and values, the names aligned; what the kernel knows stands on plain ground. */
export function Members({ children }: { readonly children: ReactNode }): ReactNode {
  return <dl className="members">{children}</dl>
}

export function Member({
  name,
  children,
}: {
  readonly name: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
