/** Other parameters than the agent's. What results is a new proposal, judged like any other. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { DecisionFields } from './decision-fields.tsx'
import { MissingWords } from './override-button.tsx'
import { ParamField } from './param-field.tsx'
import { fieldsOf, paramsOf, textsOf } from './schema-fields.ts'
import type { Deliberation } from './use-decision.ts'

export type QuestionProps = {
  readonly open: boolean
  readonly close: () => void
  readonly deliberation: Deliberation
}

export function ModifyDialog({ open, close, deliberation }: QuestionProps): ReactNode {
  return (
    <Dialog title="Modify" open={open} close={close}>
      <ModifyForm deliberation={deliberation} />
    </Dialog>
  )
}

function ModifyForm({ deliberation }: Pick<QuestionProps, 'deliberation'>): ReactNode {
  const { brief, said, change, missing, busy, problem, review, send } = deliberation
  const [wrong, setWrong] = useState<string | null>(null)
  const params = brief.effect?.params ?? {}
  const fields = fieldsOf(brief.schema, params)
  const texts = { ...textsOf(fields, params), ...said.fields }
  const ready = missing === null && review === null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const filled = paramsOf(fields, texts)
    setWrong(filled.ok ? null : `\`${filled.field}\` ${filled.problem}`)
    if (filled.ok && ready) void send({ word: 'MODIFY', params: filled.params })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p>
        This makes a new proposal in the agent’s place. It passes every stage again, and can be
        refused.
      </p>
      {fields.map((field) => (
        <ParamField
          key={field.name}
          field={field}
          value={texts[field.name] ?? ''}
          change={(value) => change({ fields: { ...said.fields, [field.name]: value } })}
        />
      ))}
      <DecisionFields deliberation={deliberation} />
      {wrong === null ? null : <p role="alert">✖ {wrong}</p>}
      {problem === null ? null : <Failed problem={problem} />}
      {review === null ? null : (
        <p role="alert">⚠ Facts have moved: close this, and review the changes first.</p>
      )}
      <p className="row">
        <button type="submit" className="main" disabled={!ready}>
          {busy ? 'Sending…' : 'Propose this instead'}
        </button>
        {missing === null ? null : <MissingWords missing={missing} />}
      </p>
    </form>
  )
}
