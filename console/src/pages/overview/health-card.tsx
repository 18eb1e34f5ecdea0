import type { ReactNode } from 'react'
import type { OverviewHealth } from 'rubicon-agents/client'
import { formatAmount } from '../../parts/amount.ts'
import { Card } from '../../parts/card.tsx'
import { Status, type StatusProps } from '../../parts/status.tsx'
import { Term } from '../../parts/term/term.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'

/** Store, bus, processes and ledger, as this process knows them. */
export function HealthCard({ health }: { readonly health: OverviewHealth }): ReactNode {
  const { store, processes, bus, ledger, version, degraded } = health
  return (
    <Card
      title="Health"
      aside={version.replace(/^rubicon-kernel\//, 'kernel ')}
      href="/ledger?in=verify"
      more="Verify"
    >
      <dl className="overview-facts">
        <Fact name="Ledger">
          <Link href="/ledger">{formatAmount(String(ledger.size))} entries</Link>
        </Fact>
        <Fact
          name="Verified"
          title="when this server had last read all entries again and found them right"
        >
          <Link href="/ledger?in=verify">
            {ledger.verified_at === null ? (
              `${formatAmount(String(ledger.checked))} entries so far`
            ) : (
              <When at={ledger.verified_at} />
            )}
          </Link>
        </Fact>
        <Fact name={<Term word="checkpoint">Signed</Term>}>
          <Link href="/ledger">{formatAmount(String(ledger.checkpoint ?? 0))} entries</Link>
        </Fact>
        <Fact name={`Store (${store})`}>
          <Status {...describeStore(health)} />
        </Fact>
        <Fact name="Registry">
          <Status
            {...(degraded
              ? { standing: 'rejected', word: 'does not answer' }
              : { standing: 'allowed', word: 'ok' })}
          />
        </Fact>
        <Fact name="Event bus">
          <Link href="/events">
            <Status {...describeBus(bus)} />
          </Link>
        </Fact>
        <Fact name="Processes">{processes}</Fact>
      </dl>
    </Card>
  )
}

function Fact({
  name,
  title,
  children,
}: {
  readonly name: ReactNode
  readonly title?: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function describeStore({ damaged }: OverviewHealth): StatusProps {
  if (damaged) return { standing: 'rejected', word: 'damaged' }
  return { standing: 'allowed', word: 'ok' }
}

function describeBus({ due, dead }: OverviewHealth['bus']): StatusProps {
  if (dead > 0) return { standing: 'rejected', word: `${dead} not delivered` }
  if (due > 0) return { standing: 'running', word: `${due} to be delivered` }
  return { standing: 'allowed', word: 'no lag' }
}
