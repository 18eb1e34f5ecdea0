/**
 * Other parameters than the agent’s. What results is a new proposal: it is judged first, and asks for
 * the care of its own impact, whatever the request asked for.
 */
import { type FormEvent, type ReactNode, useState } from 'react'
import type { JudgedModification } from 'rubicon-agents/client'
import { Dialog } from '../../parts/dialog.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { StakeWords } from './at-stake.tsx'
import { DecisionFields } from './decision-fields.tsx'
import { EffectRows } from './effect-rows.tsx'
import { ImpactMark } from './impact-mark.tsx'
import { MissingWords } from './override-button.tsx'
import { ParamField } from './param-field.tsx'
import { findMissing } from './ready.ts'
import { parseParams, toFields, toFieldTexts } from './schema-fields.ts'
import { listImpactWords } from './stake-words.ts'
import type { Deliberation } from './use-decision.ts'
import { useJudgement } from './use-judgement.ts'

export type QuestionProps = {
  readonly open: boolean
  readonly close: () => void
  readonly deliberation: Deliberation
}

export function ModifyDialog({ open, close, deliberation }: QuestionProps): ReactNode {
  return (
    <Dialog title="Edit" open={open} close={close}>
      <ModifyForm deliberation={deliberation} />
    </Dialog>
  )
}

function ModifyForm({ deliberation }: Pick<QuestionProps, 'deliberation'>): ReactNode {
  const { brief, said, change, now, review, send } = deliberation
  const { judged, busy, problem, judge, forget } = useJudgement(brief.id)
  const [wrong, setWrong] = useState<string | null>(null)
  const params = brief.effect?.params ?? {}
  const fields = toFields(brief.schema, params)
  const texts = { ...toFieldTexts(fields, params), ...said.fields }
  const missing = judged === null ? null : findMissing(judged, said, now)
  const isReady = judged !== null && judged.digest !== null && missing === null && review === null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const filled = parseParams(fields, texts)
    setWrong(filled.ok ? null : `\`${filled.field}\` ${filled.problem}`)
    if (isReady) void send({ word: 'MODIFY', judged })
    else if (filled.ok && judged === null) void judge(filled.params)
  }
  const rewrite = (name: string, value: string): void => {
    forget()
    change({ fields: { ...said.fields, [name]: value } })
  }
  const failed = problem ?? deliberation.problem
  return (
    <form className="stack" onSubmit={submit}>
      <p>
        Your edit is a new proposal in place of the agent’s. All rules check it first, and may
        refuse it.
      </p>
      {fields.map((field) => (
        <ParamField
          key={field.name}
          field={field}
          value={texts[field.name] ?? ''}
          change={(value) => rewrite(field.name, value)}
        />
      ))}
      {judged === null ? null : <Judged judged={judged} />}
      {judged === null || judged.digest === null ? null : (
        <DecisionFields acknowledge={judged.acknowledge} deliberation={deliberation} />
      )}
      {wrong === null ? null : <p role="alert">✖ {wrong}</p>}
      {failed === null ? null : <Failed problem={failed} />}
      {review === null ? null : (
        <p role="alert">⚠ Facts have changed: close this, and review the changes first.</p>
      )}
      <p className="row">
        {judged === null ? (
          <button type="submit" className="main" disabled={busy}>
            {busy ? 'Checking…' : 'See what this would do'}
          </button>
        ) : (
          <button type="submit" className="main" disabled={!isReady}>
            {deliberation.busy ? 'Sending…' : 'Approve this edit'}
          </button>
        )}
        {missing === null ? null : <MissingWords missing={missing} />}
      </p>
    </form>
  )
}

function Judged({ judged }: { readonly judged: JudgedModification }): ReactNode {
  const { impact, outlook, effect } = judged
  return (
    <section className="stack" aria-label="what this would do" aria-live="polite">
      <p className="row">
        <ImpactMark impact={impact} />
        <StakeWords words={listImpactWords(judged)} />
      </p>
      <EffectRows effect={effect} />
      {outlook.kind === 'refused' ? (
        <p role="alert">✖ It would be refused: {outlook.code}. Change the parameters.</p>
      ) : null}
    </section>
  )
}
