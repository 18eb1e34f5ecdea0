/**
 * Where somebody decides. Approve is enabled only when everything that the law asks for is there: the
 * time to read, the words, a reason, and eyes on the facts as they are. The server asks for it again.
 */
import type { KeyboardEvent, ReactNode } from 'react'
import { useKeys } from '../../keys/keys.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { sendFormOnKeys } from '../../parts/send-form.ts'
import { StickyActions } from '../../parts/sticky-actions.tsx'
import { useNarrow } from '../../parts/use-narrow.ts'
import { TimeLeft } from '../../parts/when.tsx'
import { AbortDialog } from './abort-dialog.tsx'
import { AnywayDialog } from './anyway-dialog.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { AskAgain } from './ask-again.tsx'
import { StakeWords } from './at-stake.tsx'
import { DecisionFields } from './decision-fields.tsx'
import { explainNoOverride } from './inbox-words.ts'
import { MayNot } from './may-not.tsx'
import { ModifyDialog } from './modify-dialog.tsx'
import { MissingWords, OverrideButton } from './override-button.tsx'
import { LASTING } from './stake-words.ts'
import { type Asks, type DecisionProps, type Deliberation, useDecision } from './use-decision.ts'
import './decision-form.css'

export function DecisionForm(props: DecisionProps): ReactNode {
  const deliberation = useDecision(props)
  const { brief, ask, focus, asks, review } = deliberation
  const narrow = useNarrow()
  // In the hand the fields are in a sheet: on the page they would be below what the screen shows.
  const { OVERRIDE, MODIFY, ABORT } = brief.may
  const isInSheet = narrow && review === null && OVERRIDE === null
  const approve = isInSheet ? () => ask('approve') : null
  useKeys([
    { keys: 'a', does: 'approve', run: approve ?? focus },
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
      <Form deliberation={deliberation} skew={props.skew} narrow={narrow} approve={approve} />
      <AskAgain brief={brief} again={props.again} />
      <ApproveDialog
        open={asks === 'approve'}
        close={createCloseHandler('approve')}
        deliberation={deliberation}
      />
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
  narrow,
  approve,
}: {
  readonly deliberation: Deliberation
  readonly skew: number
  readonly narrow: boolean
  /** Opens what has the fields; null: they are on the page, or there are changes to look at first. */
  readonly approve: (() => void) | null
}): ReactNode {
  const { brief, form, submit, focus, missing, review, problem, ask } = deliberation
  const { OVERRIDE, MODIFY } = brief.may
  const leaveField = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLInputElement)) return
    // Enter goes on to what is missing; escape leaves the field, so that keys mean what they say.
    if (event.key === 'Enter' && missing !== null) focus()
    else sendFormOnKeys(event, form.current)
    if (event.key === 'Escape') event.target.closest<HTMLElement>('article')?.focus()
  }
  return (
    <form className="decision stack" ref={form} onSubmit={submit} onKeyDown={leaveField}>
      {OVERRIDE === null ? null : (
        <MayNot code={OVERRIDE} words={explainNoOverride(brief.outlook, OVERRIDE)} />
      )}
      {OVERRIDE !== null || narrow ? null : (
        <DecisionFields acknowledge={brief.acknowledge} deliberation={deliberation} />
      )}
      {problem === null ? null : <Failed problem={problem} />}
      <StickyActions>
        {OVERRIDE === null ? <ApproveButton approve={approve} deliberation={deliberation} /> : null}
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
        {brief.reversible ? null : <StakeWords words={[LASTING]} />}
        <span className="quiet small">
          expires in <TimeLeft until={brief.expires_at} skew={skew} />
        </span>
        {OVERRIDE === null && !narrow && review === null && missing !== null ? (
          <span className="decision-missing quiet small">
            To approve: <MissingWords missing={missing} focus={focus} />
          </span>
        ) : null}
      </StickyActions>
    </form>
  )
}

function ApproveButton({
  approve,
  deliberation,
}: {
  readonly approve: (() => void) | null
  readonly deliberation: Deliberation
}): ReactNode {
  if (approve === null) return <OverrideButton deliberation={deliberation} />
  return (
    <button type="button" className="main" title="OVERRIDE in the ledger" onClick={approve}>
      Approve…
    </button>
  )
}
