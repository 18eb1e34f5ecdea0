/** What a draft changes of the newest version, as sentences and as lines. */
import type { ReactNode } from 'react'
import type { CheckedContract, ContractVersion, Sentence } from 'rubicon-agents/client'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { useQuery } from '../../url/location.ts'
import { Diff } from './versions-view.tsx'

const TABS: readonly Tab[] = [
  { value: 'sentences', label: 'By sentence' },
  { value: 'lines', label: 'By line' },
]

export function ContractDifference({
  standing,
  source,
  checked,
}: {
  readonly standing: ContractVersion
  readonly source: string
  readonly checked: CheckedContract
}): ReactNode {
  const [by] = useQuery('by', 'sentences')
  return (
    <section className="stack">
      <h3>Difference to version {standing.version}</h3>
      <Tabs label="difference by" name="by" tabs={TABS} value={by} />
      {by === 'lines' ? (
        <Diff before={standing.source} after={source} />
      ) : (
        <Diff before={join(standing.sentences)} after={join(checked.sentences)} />
      )}
    </section>
  )
}

function join(sentences: readonly Sentence[]): string {
  return sentences.map(({ text }) => text).join('\n')
}
