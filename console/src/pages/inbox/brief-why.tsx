import type { ReactNode } from 'react'
import type { Why } from 'rubicon-runtime/client'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Amount, Value } from './value.tsx'

/** Why a person is asked: the code, the rule, and what was computed beside what is allowed. */
export function BriefWhy({ why }: { readonly why: readonly Why[] }): ReactNode {
  return (
    <ul className="request-lines">
      {why.map((one) => (
        <li key={one.id}>
          <ReasonLink code={one.code} /> {one.domain_code} {one.means}
          <Computed details={one.details} />
        </li>
      ))}
    </ul>
  )
}

/** The names that a breach of a limit has stand in a sentence; whatever else there is stands behind. */
function Computed({ details }: { readonly details: Why['details'] }): ReactNode {
  const { limit, checked, value, min, max, ...rest } = details
  const others = Object.entries(rest)
  return (
    <span className="request-computed">
      {checked === undefined ? null : (
        <>
          : <Value value={checked} /> computed <Amount value={value} />
          {max === undefined ? null : (
            <>
              , at most <Amount value={max} />
            </>
          )}
          {min === undefined ? null : (
            <>
              , at least <Amount value={min} />
            </>
          )}{' '}
          (limit <Value value={limit} />)
        </>
      )}
      {others.map(([name, other]) => (
        <span key={name}>
          {' '}
          {name} <Value value={other} />
        </span>
      ))}
    </span>
  )
}
