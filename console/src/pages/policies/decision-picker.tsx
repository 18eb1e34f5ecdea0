/** Decisions of the past, to choose one from. */
import type { ReactNode } from 'react'
import type { DecisionRow } from 'rubicon-agents/client'
import { useList } from '../../api/use-list.ts'
import { shortenUuids } from '../../parts/hash-pieces.ts'
import { HashText } from '../../parts/hash-text.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { type Column, MoreRows, Rows } from '../../parts/rows.tsx'
import { When } from '../../parts/when.tsx'
import { replaceQuery, useQuery } from '../../url/location.ts'
import { OutcomeView } from './last-flips.tsx'

const COLUMNS: readonly Column<DecisionRow>[] = [
  {
    head: 'decision',
    cell: ({ policy_kind, object, agent_id }) => (
      <>
        {policy_kind === '' ? 'unreadable' : policy_kind} <HashText text={shortenUuids(object)} />{' '}
        <span className="quiet small">of {agent_id}</span>
      </>
    ),
  },
  { head: 'outcome', cell: (row) => <OutcomeView outcome={row} /> },
  { head: 'when', cell: ({ at }) => <When at={at} />, wide: true, hand: 'bare' },
]

const OUTCOMES: readonly string[] = ['', 'ACCEPTED', 'REJECTED', 'ESCALATED']

export function DecisionPicker({ agent }: { readonly agent: string }): ReactNode {
  const [, setAgent] = useQuery('agent')
  const [outcome, setOutcome] = useQuery('outcome')
  const list = useList<DecisionRow>(
    `decisions ${agent} ${outcome}`,
    toDecisionPlace,
    async (client, cursor, signal) => {
      const query = { ...(agent === '' ? {} : { agent }), cursor, ...parseOutcome(outcome) }
      const answer = await client.listDecisions({ query, signal })
      if (!answer.ok) return answer
      return { ...answer, body: { rows: answer.body.decisions, next: answer.body.next } }
    },
  )
  return (
    <>
      <p className="row">
        <label>
          <span className="unseen">filter by agent</span>
          <input
            type="search"
            placeholder="filter by agent"
            value={agent}
            onChange={(event) => setAgent(event.target.value)}
          />
        </label>
        <label>
          <span className="unseen">filter by outcome</span>
          <select value={outcome} onChange={(event) => setOutcome(event.target.value)}>
            {OUTCOMES.map((one) => (
              <option key={one} value={one}>
                {one === '' ? 'any outcome' : one.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
      </p>
      {list.state === 'loading' ? <Loading what="decisions" /> : null}
      {list.problem === null ? null : <Failed problem={list.problem} again={list.look} />}
      {list.state === 'ready' && list.rows.length === 0 ? (
        <Empty what={`Nothing has been decided yet. ${DEMO_INVITATION}`} command={DEMO_COMMAND} />
      ) : null}
      {list.rows.length === 0 ? null : (
        <Rows
          label="decisions"
          rows={list.rows}
          columns={COLUMNS}
          keyOf={toDecisionPlace}
          hrefOf={(row) => replaceQuery({ decision: toDecisionPlace(row) })}
        />
      )}
      <MoreRows next={list.next} more={list.older} />
    </>
  )
}

function toDecisionPlace({ trajectory, seq }: DecisionRow): string {
  return `${trajectory}/${seq}`
}

/** What stands in an address may be anything. */
function parseOutcome(text: string): { readonly outcome?: DecisionRow['outcome'] } {
  return text !== '' && OUTCOMES.includes(text) ? { outcome: text as DecisionRow['outcome'] } : {}
}
