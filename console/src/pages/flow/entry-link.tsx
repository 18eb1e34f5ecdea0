import type { ReactNode } from 'react'
import { Link } from '../../url/link.tsx'
import type { FlowEntry } from './story-parts.ts'

/** To the raw entry. Where no ledger page has it, its place in its trajectory. */
export function EntryLink({
  entry: { leaf, kind, trajectory, seq },
  linked,
}: {
  readonly entry: FlowEntry
  readonly linked: boolean
}): ReactNode {
  if (linked && leaf !== null)
    return (
      <Link className="small entry-link" href={`/ledger/${leaf}`}>
        {kind} · entry {leaf}
      </Link>
    )
  return (
    <span className="small quiet mono">
      {kind} · {trajectory}/{seq}
    </span>
  )
}
