/** Another instance of an agent, under its contract. One that may do less is made on the machine, where its file lies. */
import type { ReactNode } from 'react'
import type { AgentDetail } from 'rubicon-agents/client'
import { useToast } from '../../parts/toast.tsx'
import { FieldDialog } from '../settings/field-dialog.tsx'

export function SpawnInstance({
  agent: { agent_id, status, instance_of },
  changed,
}: {
  readonly agent: AgentDetail
  readonly changed: () => void
}): ReactNode {
  const toast = useToast()
  // Nobody is made in the name of who may not act, nor of an instance.
  if (instance_of !== null || (status !== 'ACTIVE' && status !== 'ESCALATED')) return null
  return (
    <FieldDialog
      word="New instance"
      explains={`It works under the contract of ${agent_id}, and what it spends counts for both. One that may do less is made on the command line, by rubicon agents spawn.`}
      fields={[{ name: 'instance', label: 'Name', placeholder: `${agent_id}_2` }]}
      ask={(client, { instance = '' }, key) =>
        client.spawnInstance({
          params: { id: agent_id },
          body: { instance: instance.trim() },
          key,
        })
      }
      done={(made) => {
        const href = `/agents/${encodeURIComponent(made.agent_id)}`
        toast({
          text: `${made.agent_id} ${made.unchanged ? 'was there already' : `is an instance of ${agent_id}`}.`,
          look: { label: 'Open it', href },
        })
        changed()
      }}
    />
  )
}
