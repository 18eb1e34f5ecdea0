/** The entry between the one whose id is its parent, and the one whose parent it is. */
import type { ReactNode } from 'react'
import type { EntryPlace, GetEntryReply } from 'rubicon-agents/client'
import { useKeys } from '../../keys/keys.tsx'
import { shortenId } from '../../parts/id.tsx'
import { Link } from '../../url/link.tsx'
import { go } from '../../url/location.ts'

export function EntryChain({ found }: { readonly found: GetEntryReply }): ReactNode {
  const { before, after, entry } = found
  const follow = (place: EntryPlace | null): void => {
    if (place !== null && place.leaf !== null) go(toEntryHref(place))
  }
  useKeys([
    { keys: '[', does: 'parent entry', run: () => follow(before) },
    { keys: ']', does: 'next entry of the trajectory', run: () => follow(after) },
  ])
  return (
    <nav className="chain" aria-label="chain">
      {before === null ? (
        <span className="chain-link quiet">first entry</span>
      ) : (
        <Neighbour place={before} title="parent" />
      )}
      <span className="chain-step">
        <span aria-hidden="true">←</span>
        <span className="chain-link chain-here mono">{shortenId(entry.id)}</span>
      </span>
      <span className="chain-step">
        <span aria-hidden="true">←</span>
        {after === null ? (
          <span className="chain-link quiet">no next entry yet</span>
        ) : (
          <Neighbour place={after} title="next" />
        )}
      </span>
    </nav>
  )
}

function Neighbour({
  place,
  title,
}: {
  readonly place: EntryPlace
  readonly title: string
}): ReactNode {
  const { trajectory, seq, id, leaf } = place
  const name = `${title}: ${trajectory}/${seq}`
  if (leaf === null) return <span className="chain-link">{name}</span>
  return (
    <Link className="chain-link" href={toEntryHref(place)}>
      {name} <span className="mono quiet">{shortenId(id)}</span>
    </Link>
  )
}

function toEntryHref({ leaf }: EntryPlace): string {
  return `/ledger/${leaf}${location.search}`
}
