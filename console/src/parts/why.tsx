/** Why something was refused, or sent to a person: the code, what it means, and what was computed. */
import type { ReactNode } from 'react'
import { formatAmounts } from 'rubicon-kernel'
import { joinWords } from './list-words.ts'
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
          : <Value value={checked} /> is <Amount value={value} />; limit <Value value={limit} />
          <Allowed min={min} max={max} />
        </>
      )}
      {short === '' ? null : `: ${toVisibleText(short)}`}
      {others.map(([name, other]) => (
        <span key={name}>
          ; {name} <Value value={joinWords(other)} />
        </span>
      ))}
    </>
  )
}

function Allowed({ min, max }: { readonly min: unknown; readonly max: unknown }): ReactNode {
  if (min === undefined && max === undefined) return null
  if (min === undefined || max === undefined)
    return (
      <>
        {' '}
        allows {min === undefined ? 'at most' : 'at least'} <Amount value={min ?? max} />
      </>
    )
  return (
    <>
      {' '}
      allows <Amount value={min} /> to <Amount value={max} />
    </>
  )
}
