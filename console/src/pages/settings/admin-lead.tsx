import type { ReactNode } from 'react'
import { LookOnly, useIsOperator } from './operators-only.tsx'

/** Above a list: what it is of, and what an operator can add to it. */
export function AdminLead({
  says,
  children,
}: {
  readonly says: string
  readonly children: ReactNode
}): ReactNode {
  const isOperator = useIsOperator()
  return (
    <div className="settings-lead">
      <p className="quiet">{says}</p>
      {isOperator ? children : <LookOnly />}
    </div>
  )
}
