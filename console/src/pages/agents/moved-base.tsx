/** Somebody deployed or revoked a version while this draft was written: nothing is deployed over it unread. */
import { type ReactNode, useState } from 'react'
import type { ContractVersion } from 'rubicon-agents/client'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { Diff } from './versions-view.tsx'

export function MovedBase({
  versions,
  base,
  standing,
  goOn,
  throwAway,
}: {
  readonly versions: readonly ContractVersion[]
  readonly base: string | null
  readonly standing: ContractVersion | null
  readonly goOn: () => void
  readonly throwAway: () => void
}): ReactNode {
  const [isShown, show] = useState(false)
  const before = versions.find(({ contract_hash }) => contract_hash === base)
  return (
    <section className="workbench-moved stack" aria-label="changed meanwhile">
      <p role="alert">
        <Status standing="waiting" word={describeMove(standing, before)} />{' '}
        {standing === null ? null : <When at={standing.at} />}
      </p>
      <p>
        Your draft was written against{' '}
        {before === undefined ? 'another version' : `version ${before.version}`}. Nothing is
        overwritten.
      </p>
      {isShown && standing !== null ? (
        <Diff before={before?.source ?? ''} after={standing.source} label="their changes" />
      ) : null}
      <p className="row">
        {standing === null ? null : (
          <button type="button" onClick={() => show(!isShown)} aria-expanded={isShown}>
            {isShown ? 'Hide what changed' : 'Show what changed'}
          </button>
        )}
        <button type="button" onClick={goOn} disabled={standing !== null && !isShown}>
          Keep my text
        </button>
        <button type="button" onClick={throwAway}>
          Take theirs
        </button>
      </p>
    </section>
  )
}

function describeMove(
  standing: ContractVersion | null,
  before: ContractVersion | undefined,
): string {
  if (standing === null) return 'The contract was revoked while you were writing.'
  const who = standing.by ?? standing.signed_by
  if (before?.revoked === true)
    return `Version ${before.version} was revoked: ${standing.version} is the newest now.`
  return `Version ${standing.version} was deployed by ${who} while you were writing.`
}
