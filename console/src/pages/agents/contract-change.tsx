/** The contract of an agent that exists, with its versions. */
import type { ReactNode } from 'react'
import type { AgentDetail } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { ContractWorkbench } from './contract-workbench.tsx'

export function ContractChange({
  agent,
  changed,
}: {
  readonly agent: AgentDetail
  readonly changed: () => void
}): ReactNode {
  const { agent_id } = agent
  const { reply, again } = useReply(`contract ${agent_id}`, (client, signal) =>
    client.getContract({ params: { agent_id }, signal }),
  )
  useBell(({ kind }) => kind === 'contract' || kind === 'revocation', again)
  if (reply.state === 'loading') return <Loading what="the contract" shape="detail" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  if (agent.instance_of !== null)
    return (
      <Empty
        what={`It is an instance: its contract comes from that of ${agent.instance_of}. Edit that one.`}
      />
    )
  const handleDeployed = (): void => {
    again()
    changed()
  }
  const { versions } = reply.value
  // One that was revoked is what a new version begins with.
  const begin = versions[0]?.source ?? ''
  return (
    <ContractWorkbench
      name={agent_id}
      versions={versions}
      begin={begin}
      look={again}
      deployed={handleDeployed}
    />
  )
}
