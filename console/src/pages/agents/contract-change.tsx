/** A contract is changed here as text: what it would mean, and what it would have decided. */
import type { ReactNode } from 'react'
import type { AgentDetail, CheckedContract } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { useReply } from '../../api/use-reply.ts'
import { Empty, Failed } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { LastFlips } from '../policies/last-flips.tsx'
import { RuleCoverageList } from '../policies/rule-coverage-list.tsx'
import { useDraft } from '../policies/use-draft.ts'
import { useLastTried } from '../policies/use-last-tried.ts'
import { useSettled } from '../policies/use-settled.ts'
import { DeployForm } from './deploy-form.tsx'
import './contract-change.css'

export function ContractChange({
  agent,
  changed,
}: {
  readonly agent: AgentDetail
  readonly changed: () => void
}): ReactNode {
  const { session } = useSession()
  const { draft, change, startOver, isChanged } = useDraft()
  const source = draft.contract ?? agent.source ?? ''
  const settled = useSettled(source)
  const { reply, again } = useReply(`check ${settled}`, (client, signal) =>
    client.checkContract({ body: { source: settled }, signal }),
  )
  const checked = reply.state === 'ready' ? reply.value : null
  const tried = useLastTried(
    checked?.ok === true ? { contract: settled, agent: checked.agent_id ?? agent.agent_id } : null,
  )
  if (agent.source === null)
    return <Empty what="There is no contract to edit." command="rubicon contract deploy FILE" />
  return (
    <>
      <label className="stack">
        Edit the contract in force. Nothing takes effect until you deploy it.
        <textarea
          className="change-source mono"
          spellCheck={false}
          rows={24}
          value={source}
          onChange={(event) => change({ contract: event.target.value })}
        />
      </label>
      <p>
        <button type="button" onClick={startOver} disabled={!isChanged}>
          Start over
        </button>
      </p>
      {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
      {checked === null ? null : <Checked checked={checked} />}
      {checked?.ok === true ? (
        <>
          <LastFlips what={`under this contract, of ${checked.agent_id}`} tried={tried} />
          <RuleCoverageList tried={tried} concerns={({ policy }) => policy === null} />
        </>
      ) : null}
      {checked?.ok === true && checked.changes.length > 0 && session.roles.includes('operator') ? (
        <DeployForm checked={checked} source={settled} changed={changed} />
      ) : null}
    </>
  )
}

function Checked({ checked }: { readonly checked: CheckedContract }): ReactNode {
  const { ok, problems, summary, changes, not_enforced, unanswered } = checked
  if (!ok)
    return (
      <section aria-label="problems" className="change-problems">
        <Status standing="rejected" word="It cannot be deployed" />
        <ul>
          {problems.map(({ line, column, path, detail }) => (
            <li key={`${line}:${column} ${path} ${detail}`}>
              line {line}: {toVisibleText(path)} {toVisibleText(detail)}
            </li>
          ))}
          {problems.length === 0 ? <li>{toVisibleText(summary ?? '')}</li> : null}
        </ul>
      </section>
    )
  return (
    <section className="stack" aria-label="changes">
      <p>
        <Status
          standing="allowed"
          word={
            changes.length === 0
              ? 'no changes'
              : `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`
          }
        />
      </p>
      <ul>
        {changes.map(({ path, before, after }) => (
          <li key={path} className="wrap">
            <span className="mono">{toVisibleText(path)}</span>: {toVisibleText(before ?? 'none')} →{' '}
            {toVisibleText(after ?? 'none')}
          </li>
        ))}
      </ul>
      {not_enforced.map((rule) => (
        <p key={rule}>
          <Status standing="waiting" word={`${rule} is recorded, but nothing enforces it yet`} />
        </p>
      ))}
      {unanswered.map(({ policy_kind, rule }) => (
        <p key={`${policy_kind} ${rule}`}>
          <Status
            standing="waiting"
            word={
              rule === null
                ? `no capability for ${policy_kind} is registered yet`
                : `${policy_kind} is always refused: its capability does not support ${rule}`
            }
          />
        </p>
      ))}
    </section>
  )
}
