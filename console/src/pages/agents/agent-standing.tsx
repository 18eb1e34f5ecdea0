import type { ReactNode } from 'react'
import type { AgentSummary } from 'rubicon-agents/client'
import { getAgentStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { Link } from '../../url/link.tsx'

/** Its state, and beside it what waits for a person; that does not keep it from going on. */
export function AgentStanding({
  agent: { status, waiting },
}: {
  readonly agent: Pick<AgentSummary, 'status' | 'waiting'>
}): ReactNode {
  return (
    <>
      <Status {...getAgentStanding(status)} />
      {waiting === 0 ? null : (
        <>
          {' '}
          <Link href="/inbox" className="small">
            {waiting === 1 ? '1 request' : `${waiting} requests`} waiting
          </Link>
        </>
      )}
    </>
  )
}
