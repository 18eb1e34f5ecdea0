/** The contract in force: as sentences, beside its source. */
import type { ReactNode } from 'react'
import type { AgentDetail } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { Copy } from '../../parts/id.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import { Sentences } from './sentences.tsx'

export function ContractView({ agent }: { readonly agent: AgentDetail }): ReactNode {
  const { source, sentences } = agent
  if (source === null)
    return <Empty what="No contract is in force." command="npx rubicon contract deploy FILE" />
  return (
    <div className="agent-sides">
      <Sentences sentences={sentences} />
      <section className="stack">
        <h3>
          Source, version {agent.version} <Copy value={source} what="copy the source" />
        </h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
        <pre className="agent-source" tabIndex={0}>
          <AgentText text={source} />
        </pre>
      </section>
    </div>
  )
}
