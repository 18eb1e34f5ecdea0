/** Registered public keys: what each is for, whether it counts, and how it is replaced. */
import type { ReactNode } from 'react'
import type { Client, ClientAnswer, KeyRecord } from 'rubicon-agents/client'
import { loadEveryPage } from '../../../api/every-page.ts'
import { useLookAgain } from '../../../api/use-look-again.ts'
import { Id, shortenId } from '../../../parts/id.tsx'
import { Empty } from '../../../parts/outcomes.tsx'
import type { Column } from '../../../parts/rows.tsx'
import { Status } from '../../../parts/status.tsx'
import { AdminList } from '../admin-list.tsx'
import { CommandLine } from '../command-line.tsx'
import { KeyDetail } from './key-detail.tsx'
import { describeKeyState, PURPOSE_WORDS } from './key-words.ts'

const COLUMNS: readonly Column<KeyRecord>[] = [
  { head: 'whose', cell: ({ subject }) => subject },
  { head: 'state', cell: (key) => <Status {...describeKeyState(key)} />, hand: 'corner' },
  { head: 'purpose', cell: ({ purpose }) => PURPOSE_WORDS[purpose], hand: 'bare' },
  { head: 'key', cell: ({ key_id }) => <Id value={key_id} />, wide: true, hand: 'bare' },
  { head: 'since entry', cell: ({ added_seq }) => added_seq, number: true, wide: true },
]

/** By purpose, those that count first. */
export async function loadKeys(
  client: Client,
  signal: AbortSignal,
): Promise<ClientAnswer<readonly KeyRecord[]>> {
  const answer = await loadEveryPage<KeyRecord>(async (cursor) => {
    const page = await client.listKeys({ query: { limit: '1000', cursor }, signal })
    if (!page.ok) return page
    return { ...page, body: { rows: page.body.keys, next: page.body.next } }
  })
  if (!answer.ok) return answer
  const order = Object.keys(PURPOSE_WORDS)
  const rank = ({ purpose, in_use }: KeyRecord): number =>
    order.indexOf(purpose) * 2 + (in_use ? 0 : 1)
  return { ...answer, body: answer.body.toSorted((a, b) => rank(a) - rank(b)) }
}

/** While somebody replaces one, the new one appears by itself. */
const LOOK_MS = 5_000

export function KeysView({ id }: { readonly id: string }): ReactNode {
  return (
    <AdminList
      what="keys"
      tab="keys"
      id={id}
      ask={loadKeys}
      columns={COLUMNS}
      keyOf={({ key_id }) => key_id}
      lead={({ again }) => <KeysLead again={again} />}
      empty={<Empty what="No key is registered." command="npx rubicon keys register --help" />}
      detail={(key, keys, again) =>
        key === null ? (
          <Empty what={`The key ${shortenId(id)} is not registered.`} />
        ) : (
          <KeyDetail key={key.key_id} record={key} keys={keys} changed={again} />
        )
      }
    />
  )
}

function KeysLead({ again }: { readonly again: () => void }): ReactNode {
  useLookAgain(again, LOOK_MS)
  return (
    <div className="settings-lead">
      <p className="quiet">
        Private keys stay with whoever signs: the server knows the public half. Register a new one
        where its private key is to lie:
      </p>
      <CommandLine command="npx rubicon keys register --purpose agent --subject NAME --out NAME.pem" />
    </div>
  )
}
