import type { ReactNode } from 'react'

/** A reason code, with its page one step away. Codes of a contract's own have none. */
export function ReasonLink({ code }: { readonly code: string }): ReactNode {
  return (
    <a className="mono" href={`/docs/reasons/${encodeURIComponent(code)}`}>
      {code}
    </a>
  )
}
