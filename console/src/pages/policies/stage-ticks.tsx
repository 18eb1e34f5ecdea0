import type { ReactNode } from 'react'
import type { StageTrace } from 'rubicon-agents/client'
import type { Standing } from '../../parts/status.tsx'

const TICKS: Readonly<Record<StageTrace['said'], readonly [Standing, string]>> = {
  pass: ['allowed', '✔'],
  reject: ['rejected', '✖'],
  suspend: ['waiting', '⚠'],
  repeat: ['repeated', '↺'],
}

/** The stages that ran, in their order, and what each said. */
export function StageTicks({ trace }: { readonly trace: readonly StageTrace[] }): ReactNode {
  return (
    <ol className="playground-ticks" aria-label="stages">
      {trace.map(({ stage, said }) => {
        const [standing, icon] = TICKS[said]
        return (
          <li key={stage} className={`status-${standing}`}>
            {stage} <span aria-hidden="true">{icon}</span>
            <span className="unseen"> {said}</span>
          </li>
        )
      })}
    </ol>
  )
}
