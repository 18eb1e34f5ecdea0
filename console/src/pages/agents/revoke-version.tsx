/** An operator ends one version of a contract at once, with the flows that were opened under it. */
import type { ReactNode } from 'react'
import type { ContractVersion } from 'rubicon-agents/client'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useToast } from '../../parts/toast.tsx'

export function RevokeVersion({
  agent,
  version: { version, in_force },
  revoked,
}: {
  readonly agent: string
  readonly version: ContractVersion
  readonly revoked: () => void
}): ReactNode {
  const toast = useToast()
  const handleDone = (): void => {
    toast({ text: `Version ${version} is revoked.` })
    revoked()
  }
  return (
    <ConfirmButton
      word="Revoke"
      title={`Revoke version ${version}`}
      name={version}
      hasReason
      means={[
        'Its open flows end at once. Effects already sent are not undone; their outcomes are still recorded.',
        in_force
          ? 'It is the version in force: the newest other one takes its place. Without one the agent can do nothing.'
          : 'The version in force is not touched.',
        'Your name and the reason are signed and recorded. It cannot be undone.',
      ]}
      ask={(client, key, reason) =>
        client.revokeContract({ params: { agent_id: agent }, body: { reason, version }, key })
      }
      done={handleDone}
    />
  )
}
