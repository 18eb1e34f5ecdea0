/** The chosen symbol: its text, its history, what differs, and who plans to write in this artifact. */
import type { ReactNode } from 'react'
import type { ArtifactChange, ArtifactComparison, ArtifactPlan } from 'rubicon-agents/client'
import type { LiveList } from '../../api/use-list.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useQuery } from '../../url/location.ts'
import { ChangeList } from './change-list.tsx'
import { isAbout } from './change-words.ts'
import { ComparisonView } from './comparison-view.tsx'
import { PlanTable } from './plan-table.tsx'
import { SymbolText } from './symbol-text.tsx'
import type { ArtifactAsked, Kept } from './use-artifact.ts'

export type SymbolDetailProps = {
  readonly asked: ArtifactAsked
  readonly path: string
  readonly seq: number
  readonly changes: LiveList<ArtifactChange>
  readonly plans: Kept<readonly ArtifactPlan[]>
  readonly comparison: Kept<ArtifactComparison | null>
  readonly since: number
  readonly isCompared: boolean
}

export function SymbolDetail(props: SymbolDetailProps): ReactNode {
  const { asked, path, seq, changes, plans, comparison, since, isCompared } = props
  const { trajectory, name } = asked
  const [view] = useQuery('view', 'text')
  const open =
    plans.state === 'ready'
      ? plans.value.filter(({ artifacts }) => artifacts.some((one) => one.name === name))
      : []
  const tabs = [
    { value: 'text', label: 'Text' },
    {
      value: 'history',
      label: 'History',
      count: changes.rows.filter((change) => isAbout(change, path)).length,
    },
    { value: 'compare', label: 'Compare' },
    { value: 'plans', label: 'Plans', count: open.length },
  ]
  return (
    <article className="symbol-detail">
      <h3 className="mono wrap">{path === '' ? 'all of it' : <AgentText text={path} />}</h3>
      <Tabs label="views of the symbol" name="view" tabs={tabs} value={view} />
      {view === 'text' ? <SymbolText key={path} asked={asked} path={path} seq={seq} /> : null}
      {view === 'history' ? (
        <ChangeList list={changes} trajectory={trajectory} path={path} at={seq} />
      ) : null}
      {view === 'compare' ? (
        <ComparisonView comparison={comparison} since={since} seq={seq} isCompared={isCompared} />
      ) : null}
      {view === 'plans' ? <PlanTable plans={plans} trajectory={trajectory} name={name} /> : null}
    </article>
  )
}
