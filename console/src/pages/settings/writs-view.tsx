/** Writs that were issued by hand: authority that is handed on, and only narrows. */
import type { ReactNode } from 'react'
import type { Client, ClientAnswer, Writ } from 'rubicon-agents/client'
import { loadEveryPage } from '../../api/every-page.ts'
import { Id } from '../../parts/id.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import type { Column } from '../../parts/rows.tsx'
import { When } from '../../parts/when.tsx'
import { AdminLead } from './admin-lead.tsx'
import { AdminList } from './admin-list.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { parseWrit } from './writ-body.ts'
import { WritDetail } from './writ-detail.tsx'
import { WritStanding } from './writ-standing.tsx'

const COLUMNS: readonly Column<Writ>[] = [
  { head: 'for', cell: (writ) => parseWrit(writ).subject },
  { head: 'state', cell: (writ) => <WritStanding writ={writ} />, hand: 'corner' },
  { head: 'kinds', cell: (writ) => parseWrit(writ).kinds.join(', '), wide: true },
  { head: 'ends', cell: (writ) => <When at={parseWrit(writ).until} /> },
  { head: 'id', cell: ({ id }) => <Id value={id} />, wide: true },
]

function loadWrits(client: Client, signal: AbortSignal): Promise<ClientAnswer<readonly Writ[]>> {
  return loadEveryPage(async (cursor) => {
    const answer = await client.listWrits({ query: { limit: '1000', cursor }, signal })
    if (!answer.ok) return answer
    return { ...answer, body: { rows: answer.body.writs, next: answer.body.next } }
  })
}

export function WritsView({ id }: { readonly id: string }): ReactNode {
  return (
    <AdminList
      what="writs"
      tab="writs"
      id={id}
      ask={loadWrits}
      columns={COLUMNS}
      keyOf={(writ) => writ.id}
      lead={({ again }) => (
        <AdminLead says="A writ is a signed grant for an agent: never more than its contract, and each writ under another is narrower. Those of single flows are issued by the runtime and shown there.">
          <FieldDialog
            word="Issue writ"
            explains="It holds all that the contract of the agent allows, for as long as you say."
            fields={[
              { name: 'agent', label: 'Agent' },
              { name: 'hours', label: 'Hours that it is valid', value: '24' },
            ]}
            ask={(client, { agent = '', hours = '' }, key) =>
              client.issueWrit({ body: { agent, hours: Number(hours) }, key })
            }
            done={again}
            hasMain
          />
        </AdminLead>
      )}
      empty={
        <Empty
          what="No writ was issued by hand. Agents need none: the runtime issues one for each flow."
          command="npx rubicon writ issue AGENT --hours 24"
        />
      }
      detail={(writ, writs, again) =>
        writ === null ? (
          <Empty what="There is no such writ among those issued by hand." />
        ) : (
          <WritDetail key={writ.id} writ={writ} writs={writs} changed={again} />
        )
      }
    />
  )
}
