/** One tool: what it is, what differs from what was approved, and an operator's yes to what is shown. */
import type { ReactNode } from 'react'
import type { McpTool } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { AgentText } from '../../parts/agent-text.tsx'
import { EffectClass } from '../../parts/effect-class.tsx'
import { Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { getToolStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { Diff } from '../agents/versions-view.tsx'
import { ApproveForm } from './approve-form.tsx'
import { describeClass, describeRisk, describeState } from './tool-words.ts'

export function ToolDetail({
  tool: row,
  changed,
}: {
  readonly tool: McpTool
  readonly changed: () => void
}): ReactNode {
  const { session } = useSession()
  const { server, tool, kind, state, calls, waiting, hidden, why, pin, approved } = row
  const mayApprove = pin !== null && state !== 'refused' && session.roles.includes('operator')
  return (
    <article className="tool-detail stack">
      <h2 className="row">
        <AgentText text={`${server}/${tool}`} /> <Status {...getToolStanding(state)} />
      </h2>
      <p>{describeState(row)}</p>
      {why === null ? null : <p className="wrap">{toVisibleText(why)}</p>}
      <Members>
        <Member name="kind">
          <span className="mono wrap">{toVisibleText(kind)}</span>
        </Member>
        <Member name="class">
          {row.class === null ? (
            describeClass(row) || 'none'
          ) : (
            <>
              <EffectClass effect={String(row.class.effect)} />, {describeRisk(row.class)}
            </>
          )}
        </Member>
        <Member name="calls">
          {calls.accepted} accepted, {calls.rejected} rejected, {calls.escalated} asked a person
        </Member>
        <Member name="waiting">
          {waiting === 0 ? 'nothing' : <Link href="/inbox">{waiting} in the inbox</Link>}
        </Member>
        <Member name="definition">{pin === null ? 'not known now' : <Id value={pin} />}</Member>
        <Member name="approved">
          {approved === null ? (
            'nobody is named'
          ) : (
            <>
              by {toVisibleText(approved.by)}, <When at={approved.at} />:{' '}
              {toVisibleText(approved.reason ?? 'no reason')}
            </>
          )}
        </Member>
      </Members>
      {hidden.length === 0 ? null : (
        <p>
          <Status standing="rejected" word="It has characters that cannot be seen:" />{' '}
          <span className="mono">{hidden.join(' ')}</span>. A model reads them all the same.
        </p>
      )}
      <Changes row={row} />
      {mayApprove && state !== 'agreed' ? (
        <ApproveForm key={pin} row={row} pin={pin} approved={changed} />
      ) : null}
      {mayApprove && state === 'agreed' ? (
        <details>
          <summary>Approve it again, as another class</summary>
          <ApproveForm key={pin} row={row} pin={pin} approved={changed} />
        </details>
      ) : null}
      <Json value={row.definition} label="The definition" />
    </article>
  )
}

/** On the left what was approved, which is nothing for a tool that is new. */
function Changes({ row: { changes } }: { readonly row: McpTool }): ReactNode {
  return changes.map(({ member, agreed, found }) => (
    <div key={member} className="stack">
      <h3>{agreed === null ? `${member} (not approved yet)` : member}</h3>
      <Diff before={agreed ?? ''} after={found ?? ''} label={`change of ${member}`} />
    </div>
  ))
}
