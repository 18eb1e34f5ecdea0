/** What this server serves, as far as whoever looks may look. Which tenants there are is said when it starts. */
import type { ReactNode } from 'react'
import type { ServedTenant } from 'rubicon-agents/client'
import { useLookAgain } from '../../api/use-look-again.ts'
import { useReply } from '../../api/use-reply.ts'
import { Card, Cards } from '../../parts/card.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { CommandLine } from './command-line.tsx'

const LOOK_MS = 10_000

export function TenantsView(): ReactNode {
  const { reply, again } = useReply('tenants', (client, signal) => client.listTenants({ signal }))
  useLookAgain(again, LOOK_MS)
  if (reply.state === 'loading') return <Loading what="tenants" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  const { tenants } = reply.value
  return (
    <>
      <div className="settings-lead">
        <p className="quiet">
          Each tenant has a store, keys and people of its own. Those are shown in which your token
          may look.
        </p>
      </div>
      <Cards>
        {tenants.map((tenant) => (
          <Card key={tenant.name} title={tenant.name} aside={tenant.here ? 'shown here' : ''}>
            <TenantFigures tenant={tenant} />
          </Card>
        ))}
      </Cards>
      <div className="stack settings-detail">
        <h3>Serve another</h3>
        <p className="quiet">Tenants are named when the server starts; the first is the default:</p>
        <CommandLine command="npx rubicon up --tenants default,acme --rules MODULE" />
      </div>
    </>
  )
}

function TenantFigures({ tenant }: { readonly tenant: ServedTenant }): ReactNode {
  const { ready, problems, entries, agents, open_flows, ended_flows, archived_flows } = tenant
  const count = (value: number): string => value.toLocaleString('en')
  return (
    <div className="stack">
      {ready ? (
        <Status standing="allowed" word="ready" />
      ) : (
        problems.map(({ code, summary }) => (
          <Status key={code} standing="rejected" word={summary} />
        ))
      )}
      <Members>
        <Member name="store">{tenant.store}</Member>
        <Member name="ledger">{count(entries)} entries</Member>
        <Member name="signed">
          {tenant.signed_entries === null ? 'not yet' : `${count(tenant.signed_entries)} entries`}
        </Member>
        <Member name="agents">{count(agents)}</Member>
        <Member name="flows">
          {count(open_flows)} open, {count(ended_flows)} ended, {count(archived_flows)} archived
        </Member>
      </Members>
    </div>
  )
}
