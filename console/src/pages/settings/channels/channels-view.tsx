/** Notification channels: where people are told, and whether it arrives. */
import { type ReactNode, useState } from 'react'
import type { Channel, Client, ClientAnswer } from 'rubicon-agents/client'
import { useKeys } from '../../../keys/keys.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Empty } from '../../../parts/outcomes.tsx'
import type { Column } from '../../../parts/rows.tsx'
import { Status } from '../../../parts/status.tsx'
import { toVisibleText } from '../../../parts/visible-text.ts'
import { When } from '../../../parts/when.tsx'
import { go } from '../../../url/location.ts'
import { AdminLead } from '../admin-lead.tsx'
import { AdminList, toSettingHref } from '../admin-list.tsx'

import { ChannelDetail } from './channel-detail.tsx'
import { ChannelForm } from './channel-form.tsx'
import { describePlace, describeStanding, KIND_WORDS } from './channel-words.ts'

const COLUMNS: readonly Column<Channel>[] = [
  { head: 'channel', cell: ({ name }) => name },
  { head: 'last', cell: (channel) => <Status {...describeStanding(channel)} />, hand: 'corner' },
  { head: 'kind', cell: ({ place }) => KIND_WORDS[place.kind], wide: true },
  { head: 'where', cell: ({ place }) => toVisibleText(describePlace(place)), wide: true },
  { head: 'when', cell: ({ standing }) => <When at={standing.last?.at ?? null} />, wide: true },
  { head: 'waiting', cell: ({ waiting }) => waiting, number: true },
]

async function loadChannels(
  client: Client,
  signal: AbortSignal,
): Promise<ClientAnswer<readonly Channel[]>> {
  const answer = await client.listChannels({ signal })
  return answer.ok ? { ...answer, body: answer.body.channels } : answer
}

export function ChannelsView({ id }: { readonly id: string }): ReactNode {
  return (
    <AdminList
      what="channels"
      tab="channels"
      id={id}
      ask={loadChannels}
      columns={COLUMNS}
      keyOf={({ name }) => name}
      lead={({ again }) => (
        <AdminLead says="Where people are told that a request waits, an agent was suspended or an outcome is unknown. A channel never delays a decision.">
          <AddChannel added={again} />
        </AdminLead>
      )}
      empty={
        <Empty
          what="No channels yet: notices go to the log of the server. Add one above, or on the machine:"
          command="npx rubicon channels add ops --kind webhook --url https://hooks.example.com/rubicon"
        />
      }
      detail={(channel, _, again) =>
        channel === null ? (
          <Empty what={`There is no channel ${id}.`} />
        ) : (
          <ChannelDetail key={channel.name} channel={channel} changed={again} />
        )
      }
    />
  )
}

function AddChannel({ added }: { readonly added: () => void }): ReactNode {
  const [open, setOpen] = useState(false)
  useKeys([{ keys: 'n', does: 'add a channel', run: () => setOpen(true) }])
  const handleDone = (name: string): void => {
    setOpen(false)
    added()
    go(toSettingHref('channels', name))
  }
  return (
    <>
      <button type="button" className="main" onClick={() => setOpen(true)}>
        Add channel
      </button>
      <Dialog title="Add channel" open={open} close={() => setOpen(false)}>
        <ChannelForm channel={null} done={handleDone} />
      </Dialog>
    </>
  )
}
