/**
 * A monitor's file is edited, checked, held against the past and deployed in one place. The draft stays in this browser,
 * and names the file that it was written against.
 */
import { type ReactNode, useMemo, useRef } from 'react'
import type { CheckedMonitor, Client } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { ChangedMeanwhile } from '../../parts/editor/changed-meanwhile.tsx'
import { CheckResult } from '../../parts/editor/check-result.tsx'
import { completeYaml } from '../../parts/editor/complete-yaml.ts'
import { Editor, type EditorHandle } from '../../parts/editor/editor.tsx'
import { MONITOR_SHAPE } from '../../parts/editor/monitor-shape.ts'
import { toTextProblems } from '../../parts/editor/text-problem.ts'
import { useCheck } from '../../parts/editor/use-check.ts'
import { useKeptDraft } from '../../parts/editor/use-kept-draft.ts'
import { useKnownNames } from '../../parts/editor/use-known-names.ts'
import { Status } from '../../parts/status.tsx'
import { useToast } from '../../parts/toast.tsx'
import { Diff } from '../agents/versions-view.tsx'
import '../agents/contract-workbench.css'
import { MonitorDeploy } from './monitor-deploy.tsx'
import { RehearsalForm } from './rehearsal-form.tsx'

/** A file that is in force. */
export type MonitorFile = { readonly monitor_hash: string; readonly source: string }

const askMonitor = (
  client: Client,
  source: string,
  signal: AbortSignal,
): ReturnType<Client['checkMonitor']> => client.checkMonitor({ body: { source }, signal })

export function MonitorWorkbench({
  name,
  file,
  begin,
  look,
  deployed,
}: {
  /** Whose draft it is. */
  readonly name: string
  /** Null: it is a new one. */
  readonly file: MonitorFile | null
  readonly begin: string
  /** What is in force has changed, or may have. */
  readonly look: () => void
  readonly deployed: (name: string) => void
}): ReactNode {
  const mayDeploy = useSession().session.roles.includes('operator')
  const known = useKnownNames()
  const toast = useToast()
  const editor = useRef<EditorHandle>(null)
  const { draft, keep, isKept } = useKeptDraft({ kind: 'monitor', name })
  const text = draft?.text ?? file?.source ?? begin
  const base = draft === null ? (file?.monitor_hash ?? null) : draft.base
  const checked = useCheck('monitor', text, askMonitor)
  const problems = useMemo(() => toTextProblems(checked.current), [checked.current])
  const hasMoved = draft !== null && base !== (file?.monitor_hash ?? null)
  const throwAway = (): void => {
    keep(null)
    if (draft !== null) toast({ text: 'The draft was thrown away.', undo: () => keep(draft) })
  }
  return (
    <div className="workbench">
      <div className="workbench-text stack">
        {hasMoved ? (
          <MonitorMoved
            file={file}
            text={text}
            goOn={() => keep({ text, base: file?.monitor_hash ?? null })}
            throwAway={throwAway}
          />
        ) : null}
        <Editor
          ref={editor}
          label="The monitor file"
          language="yaml"
          size="short"
          value={text}
          change={(written) => keep({ text: written, base })}
          problems={problems}
          isReadOnly={!mayDeploy && file !== null}
          complete={(typed, at, all) => completeYaml(MONITOR_SHAPE, typed, at, known, all)}
        />
        <p className="row">
          <button type="button" onClick={throwAway} disabled={draft === null}>
            Throw the draft away
          </button>
          <span className="quiet small" role="status">
            {describeDraft({ isDraft: draft !== null, isKept, mayDeploy, isNew: file === null })}
          </span>
        </p>
      </div>
      <div className="workbench-side stack">
        <CheckResult
          checked={checked}
          goToLine={(line) => editor.current?.goToLine(line)}
          describe={describeMonitor}
        />
        <RehearsalForm source={text} />
        {mayDeploy && checked.current?.ok === true && text !== file?.source && !hasMoved ? (
          <MonitorDeploy
            checked={checked.current}
            source={text}
            replaces={base}
            look={look}
            deployed={(put) => {
              keep(null)
              deployed(put)
            }}
          />
        ) : null}
      </div>
    </div>
  )
}

function describeDraft({
  isDraft,
  isKept,
  mayDeploy,
  isNew,
}: {
  readonly isDraft: boolean
  readonly isKept: boolean
  readonly mayDeploy: boolean
  readonly isNew: boolean
}): string {
  if (!mayDeploy && !isNew) return 'Read-only: to change a monitor needs the role operator.'
  const role = mayDeploy ? '' : ' Trying is for everybody; deploying needs the role operator.'
  if (!isDraft) return `No draft.${role}`
  if (!isKept) return `This browser does not keep the draft: it is gone with a reload.${role}`
  return `The draft is kept in this browser.${role}`
}

function describeMonitor({ sentence }: CheckedMonitor): ReactNode {
  return (
    <p role="status">
      <Status standing="allowed" word="can be read" /> It trips at: {sentence}
    </p>
  )
}

function MonitorMoved({
  file,
  text,
  goOn,
  throwAway,
}: {
  readonly file: MonitorFile | null
  readonly text: string
  readonly goOn: () => void
  readonly throwAway: () => void
}): ReactNode {
  return (
    <ChangedMeanwhile
      said={
        file === null
          ? 'This monitor was withdrawn while you were writing.'
          : 'Somebody deployed another version of this monitor while you were writing.'
      }
      difference={
        file === null ? null : <Diff before={file.source} after={text} label="your changes" />
      }
      shows="the difference"
      goOn={goOn}
      throwAway={throwAway}
    />
  )
}
