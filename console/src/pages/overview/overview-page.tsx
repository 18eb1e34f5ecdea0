/** Is everything all right, and where should I look? What waits, what was decided, and what happened last. */
import type { ReactNode } from 'react'
import { Card, Cards } from '../../parts/card.tsx'
import { Page } from '../../parts/page.tsx'
import { DecisionCards } from './decision-cards.tsx'
import { LastFlows } from './last-flows.tsx'
import { WaitingCard } from './waiting-card.tsx'

export function OverviewPage(): ReactNode {
  return (
    <Page name="overview" ground>
      <Cards>
        <DecisionCards />
        <WaitingCard />
        <Card title="Last flows" href="/flows" more="All flows">
          <LastFlows />
        </Card>
      </Cards>
    </Page>
  )
}
