/** What can be done with a monitor, by whom, and where it is changed if not here. */
import { type ReactNode, useState } from 'react'
import type { MonitorStatus } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useToast } from '../../parts/toast.tsx'
import { Link } from '../../url/link.tsx'
import { go, replaceQuery, useQuery } from '../../url/location.ts'
import { MonitorEditor } from './monitor-editor.tsx'
import { WithdrawForm } from './withdraw-form.tsx'

export function MonitorDeeds({
  monitor: { monitor, origin, agent_id },
  changed,
}: {
  readonly monitor: MonitorStatus
  readonly changed: () => void
}): ReactNode {
  const { session } = useSession()
  const [edit] = useQuery('edit')
  const [isEnding, setEnding] = useState(false)
  const toast = useToast()
  if (origin === 'contract')
    return (
      <p className="row quiet small">
        It stands in the contract of its agent:
        <Link href={`/agents/${encodeURIComponent(agent_id)}?view=change`}>edit the contract</Link>
      </p>
    )
  const isOperator = session.roles.includes('operator')
  const { name } = monitor
  return (
    <>
      <p className="row">
        <Link href={replaceQuery({ edit: 'file' })}>
          {isOperator ? 'Edit the file' : 'The file'}
        </Link>
        {isOperator ? (
          <button type="button" onClick={() => setEnding(true)}>
            Withdraw…
          </button>
        ) : (
          <span className="quiet small">The role operator is needed to change or withdraw it.</span>
        )}
      </p>
      <Dialog title={`Withdraw ${name}`} open={isEnding} close={() => setEnding(false)}>
        <WithdrawForm
          name={name}
          done={() => {
            setEnding(false)
            toast({ text: `The monitor ${name} was withdrawn.` })
            changed()
            go('/monitors')
          }}
        />
      </Dialog>
      {edit === 'file' ? <MonitorEditor monitor={monitor} changed={changed} /> : null}
    </>
  )
}
