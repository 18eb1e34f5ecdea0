/** What the stages found, what a rule said, and what people decided about what was left open. */
import type { ReactNode } from 'react'
import { isReasonCode, REASONS } from 'rubicon-kernel'
import { Json } from '../../parts/json.tsx'
import { type Standing, Status } from '../../parts/status.tsx'
import { Why } from '../../parts/why.tsx'
import { AccountBlock } from './account-block.tsx'
import type { BlockProps } from './account-blocks.tsx'
import { AtomViews } from './atom-view.tsx'
import { EntryLink } from './entry-link.tsx'
import { listProofSteps } from './proof-steps.ts'
import { ProofView } from './proof-view.tsx'
import { RulingLine } from './ruling-line.tsx'
import { StageReads, StageTicks } from './stage-ticks.tsx'
import type { Attempt, Finding } from './story-parts.ts'

const SAID: Readonly<Record<Attempt['outcome'], readonly [Standing, string]>> = {
  accepted: ['allowed', 'accepted'],
  rejected: ['rejected', 'rejected'],
  escalated: ['waiting', 'a person has to decide'],
}

export function DecidedBlock({
  account: { attempt, rulings, atoms },
  linked,
}: BlockProps): ReactNode {
  const { entry, outcome, trace, facts, lifted } = attempt
  const [standing, word] = SAID[outcome]
  const proof = listProofSteps(attempt)
  return (
    <AccountBlock number={3} title="What was decided" entry={entry} linked={linked}>
      <p>
        <Status standing={standing} word={word} />
      </p>
      <StageTicks trace={trace} lifted={lifted} />
      <Reasons attempt={attempt} />
      {proof === null ? null : <ProofView steps={proof} />}
      <AtomViews atoms={atoms} />
      {rulings.map((ruling) => (
        <div key={ruling.entry.id} className="account-ruling">
          <RulingLine ruling={ruling} />
          <EntryLink entry={ruling.entry} linked={linked} />
        </div>
      ))}
      <div className="row">
        <Json value={facts ?? null} label="what it was decided on" />
        <Json value={trace} label="trace" />
      </div>
    </AccountBlock>
  )
}

function Reasons({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const { outcome, why, trace } = attempt
  if (outcome === 'accepted' && why.length === 0) return null
  return (
    <div className="attempt-why">
      <p className="quiet small">{describeWhy(attempt)}</p>
      {why.map((finding) => (
        <p key={JSON.stringify(finding)}>
          <Why {...addMeaning(finding)} />
        </p>
      ))}
      {outcome === 'accepted' ? null : <StageReads trace={trace} />}
    </div>
  )
}

function describeWhy({ outcome, stage }: Attempt): string {
  if (outcome === 'escalated') return 'why a person has to decide'
  if (outcome === 'accepted') return 'it ran without approval, and needs a review'
  return stage === null ? 'why it was refused' : `found by the stage ${stage}`
}

/** What an agent that asks for a person gives as its reason is no finding: it stands in its proposal. */
function addMeaning({ code, domain_code, details }: Finding): Finding & { readonly means: string } {
  const means = isReasonCode(code) ? REASONS[code].means : ''
  const { reason: _, ...computed } = details
  return { code, domain_code, means, details: code === 'AGENT_ASKS' ? computed : details }
}
