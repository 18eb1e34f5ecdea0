/** Four questions about one attempt, each answered beside the entry that says so. */
import type { ReactNode } from 'react'
import type { GetFlowReply } from 'rubicon-agents/client'
import type { AttemptAccount } from './attempt-account.ts'
import { DecidedBlock } from './decided-block.tsx'
import { HappenedBlock } from './happened-block.tsx'
import { ProposedBlock } from './proposed-block.tsx'
import { ShownBlock } from './shown-block.tsx'
import './account-blocks.css'

export type BlockProps = {
  readonly account: AttemptAccount
  /** Whether there is a ledger page that has the entries. */
  readonly linked: boolean
}

export function AccountBlocks({
  executions,
  ...props
}: BlockProps & { readonly executions: GetFlowReply['executions'] }): ReactNode {
  return (
    <div className="account">
      <ShownBlock {...props} />
      <ProposedBlock {...props} />
      <DecidedBlock {...props} />
      <HappenedBlock {...props} executions={executions} />
    </div>
  )
}
