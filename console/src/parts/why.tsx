/** Why something was refused, or sent to a person: the code, what it means, and what was computed. */
import type { ReactNode } from 'react'
import { formatAmounts } from 'rubicon-kernel'
import { ReasonLink } from './reason-link.tsx'
import { Amount, Value } from './value.tsx'
import { toVisibleText } from './visible-text.ts'

export type WhyProps = {
  readonly code: string
  /** The contract's own word for the code. */
  readonly domain_code: string | null
  readonly means: string
  readonly details: Readonly<Record<string, unknown>>
}

export function Why({ code, domain_code, means, details }: WhyProps): ReactNode {
  return (
    <>
      <ReasonLink code={code} /> {domain_code} {means}
      <Computed details={details} />
    </>
  )
}

/** The names that a breach of a limit has stand in a sentence; whatever else there is stands behind. */
function Computed({ details }: Pick<WhyProps, 'details'>): ReactNode {
  const { limit, checked, value, min, max, amounts, ...rest } = details
  const short = formatAmounts({ amounts })
  // The sentence names the measures too.
  const others = Object.entries(rest).filter(([name]) => short === '' || name !== 'measures')
  return (
    <>
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
      {short === '' ? null : `: ${toVisibleText(short)}`}
      {others.map(([name, other]) => (
        <span key={name}>
          {' '}
          {name} <Value value={other} />
        </span>
      ))}
    </>
  )
}
