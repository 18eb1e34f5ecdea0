/** An operator ends a flow of which nothing has been sent. Whether that is so the server says in the end. */
import type { ReactNode } from 'react'
import type { GetFlowReply } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useToast } from '../../parts/toast.tsx'
import { mayBeCancelled } from './may-be-cancelled.ts'

export function CancelFlow({
  flow,
  cancelled,
}: {
  readonly flow: GetFlowReply['flow']
  readonly cancelled: () => void
}): ReactNode {
  const { session } = useSession()
  const toast = useToast()
  if (!session.roles.includes('operator') || !mayBeCancelled(flow)) return null
  const handleDone = (): void => {
    toast({ text: 'The flow is cancelled.' })
    cancelled()
  }
  return (
    <ConfirmButton
      word="Cancel the flow"
      title="Cancel the flow"
      hasReason
      means={[
        'It ends here: its agent can propose nothing more in it, and nothing is sent.',
        flow.state === 'ESCALATED'
          ? 'Its request no longer waits for anybody.'
          : 'Its budget is free again.',
        'Your reason is recorded. It cannot be undone; the agent may open another flow.',
      ]}
      ask={(client, _, reason) =>
        client.cancelFlow({ params: { dfid: flow.dfid }, body: { reason } })
      }
      done={handleDone}
    />
  )
}
