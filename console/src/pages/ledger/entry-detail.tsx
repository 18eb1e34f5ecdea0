/** One entry: what it says, the bytes that were hashed, and the proof that it stands in the log. */
import type { ReactNode } from 'react'
import type { GetEntryReply } from 'rubicon-agents/client'
import { useReply } from '../../api/use-reply.ts'
import { Copy, Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { Term } from '../../parts/term/term.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { useQuery } from '../../url/location.ts'
import { formatCurl } from './curl.ts'
import { EntryChain } from './entry-chain.tsx'
import { EntryHashed } from './entry-hashed.tsx'
import { EntryProof } from './entry-proof.tsx'
import { EntrySays } from './entry-says.tsx'
import './entry-detail.css'

const TABS: readonly Tab[] = [
  { value: 'says', label: 'Content' },
  { value: 'bytes', label: 'Hashed bytes' },
  { value: 'proof', label: 'Proof' },
  { value: 'json', label: 'JSON' },
]

export function EntryDetail({ leaf }: { readonly leaf: string }): ReactNode {
  const { reply, again } = useReply(`entry ${leaf}`, (client, signal) =>
    client.getEntry({ params: { leaf }, signal }),
  )
  if (reply.state === 'loading') return <Loading what="the entry" shape="detail" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  return <EntryView found={reply.value} again={again} />
}

function EntryView({
  found,
  again,
}: {
  readonly found: GetEntryReply
  readonly again: () => void
}): ReactNode {
  const [view] = useQuery('show', 'says')
  const { entry } = found
  return (
    <article className="entry-detail">
      <header className="stack">
        <h2 className="row">
          <span className="mono">#{entry.leaf}</span> {entry.kind}
          {entry.code === null ? null : <ReasonLink code={entry.code} />}
        </h2>
        <Members>
          <Member name="id">
            <Id value={entry.id} />
          </Member>
          <Member name={<Term word="trajectory">place</Term>}>
            <span className="mono">
              {entry.trajectory}/{entry.seq}
            </span>
          </Member>
          <Member name="written">
            <When at={entry.at} />
          </Member>
          {entry.dfid === null ? null : (
            <Member name="flow">
              <Id value={entry.dfid} href={`/flows/${entry.dfid}`} />
            </Member>
          )}
          {entry.agent_id === null ? null : (
            <Member name="agent">
              <Link href={`/agents/${entry.agent_id}`}>{entry.agent_id}</Link>
            </Member>
          )}
        </Members>
        <p className="row small">
          <span>
            copy as curl{' '}
            <Copy value={formatCurl(location.origin, entry.leaf)} what="copy as curl" />
          </span>
          {entry.dfid === null ? null : (
            <>
              <Link href={`/ledger?bundle=${entry.dfid}`}>Verify its flow</Link>
              <a href={`/v1/bundles/${entry.dfid}`}>Download the bundle</a>
            </>
          )}
        </p>
      </header>
      <EntryChain found={found} />
      <Tabs label="views of the entry" name="show" tabs={TABS} value={view} />
      <div className="entry-view">{renderView(view, found, again)}</div>
    </article>
  )
}

function renderView(view: string, found: GetEntryReply, again: () => void): ReactNode {
  switch (view) {
    case 'bytes':
      return <EntryHashed found={found} />
    case 'proof':
      return <EntryProof found={found} again={again} />
    case 'json':
      return <Json value={found} open label="the whole answer" />
    default:
      return <EntrySays kind={found.entry.kind} payload={found.entry.payload} />
  }
}
