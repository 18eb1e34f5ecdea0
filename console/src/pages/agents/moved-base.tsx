/** Somebody deployed or revoked a version while this draft was written: nothing is deployed over it unread. */
import type { ReactNode } from 'react'
import type { ContractVersion } from 'rubicon-agents/client'
import { ChangedMeanwhile } from '../../parts/editor/changed-meanwhile.tsx'
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
  const before = versions.find(({ contract_hash }) => contract_hash === base)
  const against = before === undefined ? 'another version' : `version ${before.version}`
  return (
    <ChangedMeanwhile
      said={describeMove(standing, before)}
      at={standing?.at ?? null}
      note={`Your draft was written against ${against}. Nothing is overwritten.`}
      difference={
        standing === null ? null : (
          <Diff before={before?.source ?? ''} after={standing.source} label="their changes" />
        )
      }
      shows="what changed"
      goOn={goOn}
      throwAway={throwAway}
    />
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
