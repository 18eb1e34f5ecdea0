import type { ReactNode } from 'react'
import type { Writ } from 'rubicon-agents/client'
import { type Standing, Status } from '../../parts/status.tsx'
import { useNow } from '../../time/time.tsx'
import { parseWrit } from './writ-body.ts'

/** Whether it allows anything now. */
export function WritStanding({ writ }: { readonly writ: Writ }): ReactNode {
  const now = useNow()
  const isOver = Date.parse(parseWrit(writ).until) <= now
  const [standing, word]: readonly [Standing, string] = writ.revoked
    ? ['rejected', 'revoked']
    : isOver
      ? ['repeated', 'over']
      : ['allowed', 'valid']
  return <Status standing={standing} word={word} />
}
