import type { ReactNode } from 'react'
import type { Overview } from 'rubicon-agents/client'
import { Card } from '../../parts/card.tsx'
import { Copy } from '../../parts/id.tsx'
import { DEMO_COMMAND } from '../../parts/outcomes.tsx'

/** Nobody was ever given a contract, and nothing was ever decided. */
export function isEmptyStore({ decisions, waiting, happened, indexed }: Overview): boolean {
  const isRead = indexed.leaf >= indexed.size
  // A server writes down its rules when it starts.
  const isUntouched = happened.every(({ what }) => what === 'rules')
  const { decided, before } = decisions
  return isRead && isUntouched && decided + before.decided + waiting.count === 0
}

const STEPS: readonly { readonly does: string; readonly command: string }[] = [
  { does: 'See a demo company at work, on a second server:', command: DEMO_COMMAND },
  {
    does: 'Check a contract, which says what an agent may do:',
    command: 'npx rubicon contract check FILE',
  },
  {
    does: 'Deploy it: the agent appears under Agents.',
    command: 'npx rubicon contract deploy FILE',
  },
]

/** An empty store: what to do next. */
export function FirstSteps(): ReactNode {
  return (
    <Card title="Nothing has happened yet">
      <ol className="overview-steps">
        {STEPS.map(({ does, command }) => (
          <li key={command}>
            <p>{does}</p>
            <p className="outcome-command">
              <code>{command}</code> <Copy value={command} what="copy the command" />
            </p>
          </li>
        ))}
      </ol>
      <p className="small">
        <a href="/docs/getting-started">An agent of your own in five minutes</a>
      </p>
    </Card>
  )
}
