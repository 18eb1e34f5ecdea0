/**
 * What a branch comes to on the trunk, artifact by artifact: merged by symbols. What both sides wrote of one symbol, or of a document, is
 * a conflict; no merge of lines decides it.
 */
import { err, ok, type Result } from 'rubicon-kernel'
import { MERGED_FORMATS } from '../formats/formats.ts'
import type { MergeLines, MergeResult } from '../merge/merge.ts'
import { mergeTexts } from '../merge/merge-texts.ts'
import type { ChangeSet } from '../project/project.ts'
import { findSemanticConflicts } from '../project/semantic-conflicts.ts'
import { findDanglingIn } from './check-project.ts'
import type { ArtifactConflict, DeskAnswers, DeskProblem } from './desk-answer.ts'
import { findDeskFormat, findTwice, openProject, openText } from './desk-project.ts'
import type { MergePart, MergeRequest } from './desk-request.ts'
import { type DraftChange, finishChange } from './finish-change.ts'
import { finishText } from './finish-text.ts'
import { listTextSplices } from './join-steps.ts'
import { formatName } from './name-symbols.ts'

const leaveOpen: MergeLines = ({ ours }) => ({ isClean: false, text: ours })

export function mergeParts({
  key,
  parts,
  project,
}: MergeRequest): Result<DeskAnswers['merge'], DeskProblem> {
  const texts = [...parts.map(({ ours }) => ours), ...project]
  const twice = findTwice(texts)
  if (twice !== null) return err(twice)
  const before = openProject(texts)
  const drafts: DraftChange[] = []
  const conflicts: ArtifactConflict[] = []
  for (const part of parts) {
    const { artifact } = part.ours
    const merged = mergePart(part)
    conflicts.push(...merged.conflicts.map((conflict) => ({ ...conflict, artifact })))
    if (merged.conflicts.length > 0 || merged.text === part.ours.text) continue
    const draft = createDraft(part, merged.text)
    if (!draft.ok) return draft
    drafts.push(draft.value)
  }
  const known = [...conflicts, ...listSemantic(parts, project)]
  if (known.length > 0) return ok({ changes: [], conflicts: known })
  const changes = drafts.map((draft) => finishChange(draft, key, before))
  const after = before.change(new Map(changes.map((change) => [change.artifact, change.after])))
  const dangling = findDanglingIn(before, after)
  return dangling === null ? ok({ changes, conflicts: [] }) : err(dangling)
}

function mergePart({ base, ours, theirs }: MergePart): MergeResult {
  const format = findDeskFormat(ours)
  const isMerged = MERGED_FORMATS.some(({ media }) => media === format?.media)
  const input = { base: base.text, ours: ours.text, theirs: theirs.text }
  return mergeTexts(input, isMerged ? format : undefined, { mergeLines: leaveOpen })
}

function createDraft({ ours }: MergePart, text: string): Result<DraftChange, DeskProblem> {
  const opened = openText(ours)
  if (!opened.ok) return opened
  const { artifact, format, parsed } = opened.value
  const finished = finishText(opened.value, listTextSplices(ours.text, text))
  if (!finished.ok) return finished
  const steps = [{ ...finished.value, before: parsed, delta: null }]
  return ok({ artifact, format, before: parsed, steps, deltas: null })
}

/** Between artifacts: each side is right by itself. */
function listSemantic(
  parts: readonly MergePart[],
  project: MergeRequest['project'],
): readonly ArtifactConflict[] {
  const base = openProject([...parts.map((part) => part.base), ...project])
  const toSet = (side: 'ours' | 'theirs'): ChangeSet =>
    new Map(
      parts.flatMap((part) =>
        part[side].text === part.base.text ? [] : [[part.base.artifact, part[side].text] as const],
      ),
    )
  return findSemanticConflicts(base, toSet('ours'), toSet('theirs')).map(
    ({ kind, changed, referrer }) => ({
      kind: kind === 'RENAME_AND_REFERENCE' ? 'rename' : CONFLICT_KINDS[kind],
      path: referrer.path,
      artifact: referrer.artifact,
      reason: `one side changed \`${formatName(changed.artifact, changed.path === '' ? [] : [changed.path])}\`, which the other begins to name here`,
    }),
  )
}

const CONFLICT_KINDS = {
  SIGNATURE_AND_REFERENCE: 'signature',
  REMOVAL_AND_REFERENCE: 'removal',
  ENUM_AND_REFERENCE: 'enum',
} as const
