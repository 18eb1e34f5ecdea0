/** In the hand: what an approval needs, over the page and at the thumb, whatever has been read to. */
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { AgentText } from '../../parts/agent-text.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { AtStake, StakeWords } from './at-stake.tsx'
import { DecisionFields } from './decision-fields.tsx'
import { describeRequest } from './inbox-words.ts'
import type { QuestionProps } from './modify-dialog.tsx'
import { MissingWords, OverrideButton } from './override-button.tsx'
import { listImpactWords } from './stake-words.ts'

export function ApproveDialog({ open, close, deliberation }: QuestionProps): ReactNode {
  return (
    <Dialog title="Approve" open={open} close={close}>
      <ApproveForm deliberation={deliberation} />
    </Dialog>
  )
}

function ApproveForm({ deliberation }: Pick<QuestionProps, 'deliberation'>): ReactNode {
  const { brief, missing, review, problem, submit } = deliberation
  const send = (event: FormEvent): void => {
    if (review === null) submit(event)
    else event.preventDefault()
  }
  const form = useRef<HTMLFormElement>(null)
  // A button that is disabled takes no enter: it goes on to what is missing.
  const goOn = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || missing === null || missing.left !== undefined) return
    form.current?.querySelector<HTMLElement>(`[data-field="${missing.field}"]`)?.focus()
  }
  return (
    <form className="stack" ref={form} onSubmit={send} onKeyDown={goOn}>
      <ApprovedRequest brief={brief} />
      <DecisionFields acknowledge={brief.acknowledge} deliberation={deliberation} />
      {problem === null ? null : <Failed problem={problem} />}
      {review === null ? (
        <p className="row">
          <OverrideButton deliberation={deliberation} />
          {missing === null ? null : <MissingWords missing={missing} />}
        </p>
      ) : (
        <p role="alert">⚠ Facts have changed: close this, and review the changes first.</p>
      )}
    </form>
  )
}

function ApprovedRequest({ brief }: Pick<QuestionProps['deliberation'], 'brief'>): ReactNode {
  const { object, exposure } = brief
  return (
    <div>
      <p>
        <strong>
          {describeRequest(brief)} {object === null ? null : <AgentText text={object} />}
        </strong>
      </p>
      <p className="row">
        {exposure === null ? null : <AtStake exposure={exposure} stakes={null} />}
        <StakeWords words={listImpactWords(brief)} />
      </p>
    </div>
  )
}
