/**
 * A contract is edited, checked, held against history and deployed in one place. The draft stays in this browser until it
 * is deployed or thrown away, and names the version that it was written against: what somebody else deploys meanwhile is
 * told, and never overwritten.
 */
import { type ReactNode, useMemo, useRef } from 'react'
import type { CheckedContract, Client, ContractVersion } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { completeYaml } from '../../parts/editor/complete-yaml.ts'
import { CONTRACT_SHAPE } from '../../parts/editor/contract-shape.ts'
import { Editor, type EditorHandle } from '../../parts/editor/editor.tsx'
import type { KeptDraft } from '../../parts/editor/kept-draft.ts'
import { toTextProblems } from '../../parts/editor/text-problem.ts'
import { type CheckedText, LONGEST_TEXT, useCheck } from '../../parts/editor/use-check.ts'
import { useKeptDraft } from '../../parts/editor/use-kept-draft.ts'
import { useKnownNames } from '../../parts/editor/use-known-names.ts'
import { Status } from '../../parts/status.tsx'
import { useToast } from '../../parts/toast.tsx'
import { LastFlips } from '../policies/last-flips.tsx'
import { RuleCoverageList } from '../policies/rule-coverage-list.tsx'
import { useLastTried } from '../policies/use-last-tried.ts'
import { CheckView } from './check-view.tsx'
import { ContractDifference } from './contract-difference.tsx'
import { findStanding, raiseVersion, toNextVersion } from './contract-draft.ts'
import { DeployForm, focusDeployName } from './deploy-form.tsx'
import { MovedBase } from './moved-base.tsx'
import { useLimitKeys } from './use-limit-keys.ts'
import './contract-workbench.css'

export type Workbench = {
  /** Whose draft it is; of an agent that is not there yet, a name that no agent can have. */
  readonly name: string
  /** Newest first; empty for a new agent. */
  readonly versions: readonly ContractVersion[]
  /** Where there is neither a draft nor a version. */
  readonly begin: string
  /** Asked again: what stands there has changed, or may have. */
  readonly look: () => void
  readonly deployed: (agent: string) => void
}

const askContract = (
  client: Client,
  source: string,
  signal: AbortSignal,
): ReturnType<Client['checkContract']> => client.checkContract({ body: { source }, signal })

export function ContractWorkbench({ name, versions, begin, look, deployed }: Workbench): ReactNode {
  const held = useContractText({ name, versions, begin })
  const { mayDeploy, draft, standing, text, base, keep, throwAway } = held
  const known = useKnownNames()
  const editor = useRef<EditorHandle>(null)
  const handleReady = useLimitKeys(editor, text, mayDeploy)
  // What changes is said against what stands there: asked again once another version does.
  const checked = useCheck(`contract ${standing?.contract_hash ?? ''}`, text, askContract)
  const problems = useMemo(() => toTextProblems(checked.current), [checked.current])
  const isChanged = text !== (standing?.source ?? '')
  const hasMoved = draft !== null && base !== (standing?.contract_hash ?? null)
  const raised = raiseVersion(text, versions[0]?.version ?? '')
  const isTaken = versions.some(({ version }) => version === checked.current?.version)
  const mayRaise = isChanged && isTaken && raised !== null
  return (
    <div className="workbench">
      <div className="workbench-text stack">
        {hasMoved ? (
          <MovedBase
            versions={versions}
            base={base}
            standing={standing}
            goOn={() => keep({ text, base: standing?.contract_hash ?? null })}
            throwAway={throwAway}
          />
        ) : null}
        <Editor
          ref={editor}
          label={mayDeploy ? 'Edit the contract' : 'Contract, read-only'}
          language="yaml"
          value={text}
          change={(changed) => keep({ text: changed, base })}
          problems={problems}
          complete={(...place) => completeContract(known, ...place)}
          isReadOnly={!mayDeploy}
          done={focusDeployName}
          ready={handleReady}
        />
        <DraftRow
          {...held}
          isDraft={draft !== null}
          isNew={standing === null}
          raise={mayRaise ? () => keep({ text: raised, base }) : null}
        />
      </div>
      <div className="workbench-side stack">
        <CheckView checked={checked} goToLine={(line) => editor.current?.goToLine(line)} />
        {isChanged && checked.current?.ok === true ? (
          <Changed
            name={name}
            checked={checked}
            standing={standing}
            mayDeploy={mayDeploy && !hasMoved}
            isTaken={isTaken}
            versions={versions}
            base={base}
            look={look}
            deployed={(agent) => {
              keep(null)
              deployed(agent)
            }}
          />
        ) : null}
        {!isChanged && mayDeploy ? <NothingChanged /> : null}
      </div>
    </div>
  )
}

function NothingChanged(): ReactNode {
  return (
    <p className="quiet">
      Change the text: what it would mean, what it would have decided and how to deploy it appear
      here.
    </p>
  )
}

type ContractText = {
  readonly mayDeploy: boolean
  readonly roles: readonly string[]
  readonly draft: KeptDraft | null
  readonly isKept: boolean
  /** The newest version that nobody revoked. */
  readonly standing: ContractVersion | null
  readonly text: string
  /** The hash of what the text was written against; null: of nothing. */
  readonly base: string | null
  readonly keep: (draft: KeptDraft | null) => void
  readonly throwAway: () => void
}

/** The draft, or what stands there; whoever may not deploy sees that alone. */
function useContractText({
  name,
  versions,
  begin,
}: Pick<Workbench, 'name' | 'versions' | 'begin'>): ContractText {
  const { session } = useSession()
  const toast = useToast()
  const { draft: kept, keep, isKept } = useKeptDraft({ kind: 'contract', name })
  const mayDeploy = session.roles.includes('operator')
  const standing = findStanding(versions)
  const draft = mayDeploy ? kept : null
  const text = draft?.text ?? standing?.source ?? begin
  const base = draft === null ? (standing?.contract_hash ?? null) : draft.base
  const throwAway = (): void => {
    keep(null)
    if (draft !== null) toast({ text: 'The draft was thrown away.', undo: () => keep(draft) })
  }
  const { roles } = session
  return { mayDeploy, roles, draft, isKept, standing, text, base, keep, throwAway }
}

function completeContract(
  known: ReturnType<typeof useKnownNames>,
  text: string,
  at: number,
  explicit: boolean,
): ReturnType<typeof completeYaml> {
  return completeYaml(CONTRACT_SHAPE, text, at, known, explicit)
}

/** What is only asked about a text that can be deployed. */
function Changed({
  name,
  checked: { current, settled },
  standing,
  mayDeploy,
  isTaken,
  versions,
  base,
  look,
  deployed,
}: {
  readonly name: string
  readonly checked: CheckedText<CheckedContract>
  readonly standing: ContractVersion | null
  readonly mayDeploy: boolean
  readonly isTaken: boolean
  readonly versions: readonly ContractVersion[]
  readonly base: string | null
  readonly look: () => void
  readonly deployed: (agent: string) => void
}): ReactNode {
  const agent = current?.agent_id ?? ''
  const tried = useLastTried(standing === null ? null : { contract: settled, agent })
  if (current === null) return null
  const raised = isTaken ? raiseVersion(settled, versions[0]?.version ?? '') : null
  const isForeign = standing !== null && agent !== name
  return (
    <>
      {standing === null ? null : (
        <>
          <LastFlips what={`under this contract, of ${agent}`} shown={5} tried={tried} />
          <RuleCoverageList tried={tried} concerns={({ policy }) => policy === null} />
          <ContractDifference standing={standing} source={settled} checked={current} />
        </>
      )}
      {isForeign ? (
        <p>
          <Status
            standing="waiting"
            word={`the text is a contract of ${agent}, not of ${name}: an agent keeps its name`}
          />
        </p>
      ) : null}
      {mayDeploy && !isForeign ? (
        <DeployForm
          checked={current}
          source={raised ?? settled}
          version={raised === null ? current.version : toNextVersion(versions[0]?.version ?? '')}
          replaces={base}
          isTaken={isTaken && raised === null}
          standing={standing}
          flips={tried.latest?.flips.length ?? null}
          look={look}
          deployed={deployed}
        />
      ) : null}
    </>
  )
}

type DraftState = {
  readonly mayDeploy: boolean
  readonly isDraft: boolean
  /** Nothing was deployed yet. */
  readonly isNew: boolean
  readonly isKept: boolean
  readonly roles: readonly string[]
}

/** What can be done with the draft, and where it is. */
function DraftRow({
  throwAway,
  raise,
  ...state
}: DraftState & {
  readonly throwAway: () => void
  /** Null: the version is another already. */
  readonly raise: (() => void) | null
}): ReactNode {
  return (
    <p className="row">
      {state.mayDeploy ? (
        <button type="button" onClick={throwAway} disabled={!state.isDraft}>
          Throw the draft away
        </button>
      ) : null}
      {state.mayDeploy && raise !== null ? (
        <button type="button" onClick={raise}>
          Raise the version
        </button>
      ) : null}
      <span className="quiet small" role="status">
        {describeDraft(state)}
      </span>
    </p>
  )
}

function describeDraft({ mayDeploy, isDraft, isNew, isKept, roles }: DraftState): string {
  if (!mayDeploy)
    return `Read-only: deploying needs the role operator, and you are signed in as ${roles.join(' and ')}.`
  if (!isDraft)
    return isNew ? 'No draft yet: this is a template.' : 'No draft: this is the newest version.'
  if (!isKept) return 'This browser does not keep the draft: it is gone with a reload.'
  return `The draft is kept in this browser. The server reads up to ${LONGEST_TEXT} characters.`
}
