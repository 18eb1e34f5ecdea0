/** An agent begins with a contract: one of the cookbook, filled in with what exists here. */
import { type ReactNode, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import { useKnownNames } from '../../parts/editor/use-known-names.ts'
import { useNow } from '../../time/time.tsx'
import { go } from '../../url/location.ts'
import { CONTRACT_TEMPLATES, writeTemplate } from './contract-templates.ts'
import { ContractWorkbench } from './contract-workbench.tsx'

/** No name of an agent: it has a space. */
export const NEW_AGENT = 'new agent'

export function NewAgent({ moved }: { readonly moved: () => void }): ReactNode {
  const { session } = useSession()
  const { actions } = useKnownNames()
  const [chosen, choose] = useState('amount')
  const now = useNow()
  const own = actions.find(({ measures }) => measures.length > 0) ?? actions[0]
  const template = CONTRACT_TEMPLATES.find(({ value }) => value === chosen) ?? CONTRACT_TEMPLATES[0]
  if (template === undefined) return null
  const begin = writeTemplate(template, {
    owner: session.shown,
    today: new Date(now).toISOString().slice(0, 10),
    kind: own?.kind ?? null,
    measure: own?.measures[0] ?? null,
  })
  return (
    <article className="agent-view">
      <header className="agent-head stack">
        <h2>New agent</h2>
        <label>
          Begin with{' '}
          <select value={chosen} onChange={(event) => choose(event.target.value)}>
            {CONTRACT_TEMPLATES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <p className="quiet small">
          Each is explained in the <a href="/docs/guides/contract-cookbook">contract cookbook</a>. A
          draft that you have begun stays as it is: throw it away to begin with another.
        </p>
      </header>
      <div className="agent-body">
        <ContractWorkbench
          name={NEW_AGENT}
          versions={[]}
          begin={begin}
          look={moved}
          deployed={(agent) => {
            moved()
            go(`/agents/${encodeURIComponent(agent)}`)
          }}
        />
      </div>
    </article>
  )
}
