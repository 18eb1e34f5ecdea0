/** What is kept how long, and how it is moved out or erased. */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Erasure } from 'rubicon-agents/client'
import { LIMITS } from 'rubicon-kernel'
import { useDeed } from '../../api/use-deed.ts'
import { useReply } from '../../api/use-reply.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { CommandLine } from './command-line.tsx'
import { useIsOperator } from './operators-only.tsx'
import '../../parts/field-form.css'

const HOUR_MS = 3_600_000

const KEPT: readonly (readonly [what: string, howLong: string])[] = [
  ['Entries of the ledger: hashes and signatures', 'for ever'],
  ['Payloads: what was proposed, read and answered', 'until they are archived or erased'],
  [
    'Sessions of people',
    `${LIMITS.personSessionMs / HOUR_MS} h, or ${LIMITS.personIdleMs / HOUR_MS} h unused`,
  ],
  ['Sessions of agents', `${LIMITS.sessionMs / HOUR_MS} h`],
  ['Notices that nobody could be told', `the newest ${LIMITS.noticesFailed.toLocaleString('en')}`],
  ['Names and logins of people', 'until they are unlinked, which erases them'],
]

export function RetentionView(): ReactNode {
  const { reply } = useReply('tenants', (client, signal) => client.listTenants({ signal }))
  const here = reply.state === 'ready' ? reply.value.tenants.find((one) => one.here) : undefined
  const isOperator = useIsOperator()
  return (
    <div className="stack settings-detail">
      <section className="settings-table">
        <h2>What is kept</h2>
        <Table label="what is kept how long" columns={['what', { name: 'how long', is: 'bare' }]}>
          <tbody>
            {KEPT.map(([what, howLong]) => (
              <tr key={what}>
                <td>{what}</td>
                <td>{howLong}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </section>
      <section>
        <h2>Archive</h2>
        <p className="quiet">
          {here === undefined
            ? ''
            : `${here.archived_flows.toLocaleString('en')} of ${here.ended_flows.toLocaleString('en')} ended flows are archived. `}
          Payloads of flows that ended long ago move into a file; the ledger stays whole, and they
          can come back. It is done on the machine; where the store is SQLite, stop the server
          first:
        </p>
        <CommandLine command="npx rubicon archive create old-flows.ndjson --before 90d" />
        <CommandLine command="npx rubicon archive list" />
        <CommandLine command="npx rubicon archive restore old-flows.ndjson" />
      </section>
      <section>
        <h2>Erase a flow</h2>
        <p className="quiet">
          What an ended flow said is removed for good; hashes, verdicts and times stay, so that the
          ledger can still be verified.
        </p>
        {isOperator ? <EraseForm /> : <p className="quiet small">An operator can do this.</p>}
      </section>
    </div>
  )
}

function EraseForm(): ReactNode {
  const { busy, problem, perform } = useDeed()
  const [dfid, setDfid] = useState('')
  const [plan, setPlan] = useState<Erasure | null>(null)
  const toast = useToast()
  const look = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setPlan(await perform((client) => client.planErasure({ params: { dfid: dfid.trim() } })))
  }
  const handleErased = (): void => {
    setPlan(null)
    setDfid('')
    toast({ text: 'The flow is erased.', look: { label: 'Look', href: `/flows/${dfid.trim()}` } })
  }
  const records = plan === null ? 0 : Object.values(plan.records).reduce((sum, n) => sum + n, 0)
  return (
    <form className="stack field-form" onSubmit={look}>
      <label>
        Flow
        <input
          value={dfid}
          className="mono"
          placeholder="01990000-…"
          onChange={(event) => {
            setDfid(event.target.value)
            setPlan(null)
          }}
        />
      </label>
      {problem === null ? null : <Failed problem={problem} />}
      <p className="row">
        <button type="submit" disabled={busy || dfid.trim() === ''}>
          {busy ? 'Looking…' : 'Show what would be erased'}
        </button>
        {plan === null ? null : (
          <ConfirmButton
            word="Erase"
            title={`Erase the flow of ${plan.agent_id}`}
            hasReason
            name={plan.dfid}
            means={[
              `${plan.payloads.length} payloads and ${records} records are removed for good.`,
              'Your name and the reason are signed and recorded. It cannot be undone.',
            ]}
            ask={(client, key, reason) =>
              client.eraseFlow({ params: { dfid: plan.dfid }, body: { reason }, key })
            }
            done={handleErased}
          />
        )}
      </p>
      {plan === null ? null : (
        <p role="status">
          {plan.payloads.length} payloads and {records} records of {plan.agent_id} would be removed.
        </p>
      )}
    </form>
  )
}
