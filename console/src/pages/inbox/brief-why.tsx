import type { ReactNode } from 'react'
import type { Why as Reason } from 'rubicon-agents/client'
import { Why } from '../../parts/why.tsx'

/** Why a person is asked. */
export function BriefWhy({ why }: { readonly why: readonly Reason[] }): ReactNode {
  return (
    <ul className="request-lines">
      {why.map((one) => (
        <li key={one.id}>
          <Why {...one} />
        </li>
      ))}
    </ul>
  )
}
