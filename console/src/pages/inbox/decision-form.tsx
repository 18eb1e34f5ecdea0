/**
 * Where somebody decides. Approve is enabled only when everything that the law asks for is there: the
 * time to read, the words, a reason, and eyes on the facts as they are. The server asks for it again.
 */
import type { KeyboardEvent, ReactNode } from 'react'
import { useKeys } from '../../keys/keys.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { StickyActions } from '../../parts/sticky-actions.tsx'
import { TimeLeft } from '../../parts/when.tsx'
import { AbortDialog } from './abort-dialog.tsx'
import { AnywayDialog } from './anyway-dialog.tsx'
import { AskAgain } from './ask-again.tsx'
import { DecisionFields } from './decision-fields.tsx'
import { explainNoOverride } from './inbox-words.ts'
import { MayNot } from './may-not.tsx'
import { ModifyDialog } from './modify-dialog.tsx'
import { MissingWords, OverrideButton } from './override-button.tsx'
import { type Asks, type DecisionProps, type Deliberation, useDecision } from './use-decision.ts'
import './decision-form.css'

export function DecisionForm(props: DecisionProps): ReactNode {
  const deliberation = useDecision(props)
  const { brief, ask, focus, asks } = deliberation
  const { MODIFY, ABORT } = brief.may
  useKeys([
    { keys: 'a', does: 'approve', run: focus },
    { keys: 'e', does: 'edit', run: () => MODIFY === null && ask('modify') },
    { keys: 'r', does: 'reject', run: () => ABORT === null && ask('abort') },
  ])
  if (ABORT !== null) return <MayNot code={ABORT} />
  // One that closes late does not take the next one with it.
  const createCloseHandler = (which: Asks) => (): void => {
    if (asks === which) ask(null)
  }
  return (
    <>
      <Form deliberation={deliberation} skew={props.skew} />
      <AskAgain brief={brief} again={props.again} />
      <ModifyDialog
        open={asks === 'modify'}
        close={createCloseHandler('modify')}
        deliberation={deliberation}
      />
      <AbortDialog
        open={asks === 'abort'}
        close={createCloseHandler('abort')}
        deliberation={deliberation}
      />
      <AnywayDialog
        open={asks === 'anyway'}
        close={createCloseHandler('anyway')}
        deliberation={deliberation}
      />
    </>
  )
}

function Form({
  deliberation,
  skew,
}: {
  readonly deliberation: Deliberation
  readonly skew: number
}): ReactNode {
  const { brief, form, submit, focus, missing, review, problem, ask } = deliberation
  const { OVERRIDE, MODIFY } = brief.may
  const leaveField = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLInputElement)) return
    // Enter goes on to what is missing; escape leaves the field, so that keys mean what they say.
    if (event.key === 'Enter' && missing !== null) focus()
    if (event.key === 'Escape') event.target.closest<HTMLElement>('article')?.focus()
  }
  return (
    <form className="decision stack" ref={form} onSubmit={submit} onKeyDown={leaveField}>
      {OVERRIDE === null ? (
        <DecisionFields acknowledge={brief.acknowledge} deliberation={deliberation} />
      ) : (
        <MayNot code={OVERRIDE} words={explainNoOverride(brief.outlook, OVERRIDE)} />
      )}
      {problem === null ? null : <Failed problem={problem} />}
      <StickyActions>
        {OVERRIDE === null ? <OverrideButton deliberation={deliberation} /> : null}
        <button
          type="button"
          title="MODIFY in the ledger"
          disabled={MODIFY !== null}
          onClick={() => ask('modify')}
        >
          Edit… <kbd>e</kbd>
        </button>
        <button type="button" title="ABORT in the ledger" onClick={() => ask('abort')}>
          Reject… <kbd>r</kbd>
        </button>
        <span className="quiet small">
          expires in <TimeLeft until={brief.expires_at} skew={skew} />
        </span>
        {OVERRIDE === null && review === null && missing !== null ? (
          <span className="decision-missing quiet small">
            To approve: <MissingWords missing={missing} focus={focus} />
          </span>
        ) : null}
      </StickyActions>
    </form>
  )
}
