import type { ReactNode } from 'react'
import { go, replaceQuery } from '../../url/location.ts'

/** With which other moment this one is compared; else with where the reader stopped last. */
export function CompareChoice({
  seq,
  compared,
}: {
  readonly seq: number
  readonly compared: string
}): ReactNode {
  if (compared === '')
    return (
      <>
        <button
          type="button"
          onClick={() => go(replaceQuery({ since: String(seq), at: String(seq), view: 'compare' }))}
        >
          Compare with another moment
        </button>
        <span className="quiet small">marked: what changed since you stopped last</span>
      </>
    )
  return (
    <>
      <span>
        compared with entry <strong className="mono">{compared}</strong>; move the slider to the
        other moment
      </span>
      <button
        type="button"
        onClick={() => go(replaceQuery({ since: '', view: '' }), { replace: true })}
      >
        Stop comparing
      </button>
    </>
  )
}
