/** What became of one artifact, as it is answered. */
import type { JsonValue } from 'rubicon-kernel'
import { claimPlan } from '../claims/claim-delta.ts'
import type { ClaimedStep } from '../claims/claimed-step.ts'
import { listWrittenTexts } from '../delta/find-secret.ts'
import type { Format } from '../formats/format.ts'
import type { Project } from '../project/project.ts'
import { computeContentHash } from '../store/content-hash.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { PlannedChange } from './desk-answer.ts'
import { computeSha256 } from './desk-project.ts'
import { joinSteps } from './join-steps.ts'
import { nameChange } from './name-symbols.ts'
import { resolveReads } from './resolve-reads.ts'

export type DraftChange = {
  readonly artifact: string
  readonly format: Format
  readonly before: ParsedText
  /** At least one. */
  readonly steps: readonly ClaimedStep[]
  readonly deltas: readonly JsonValue[] | null
}

/** `project`: as it is before the change. */
export function finishChange(
  { artifact, format, before, steps, deltas }: DraftChange,
  key: string,
  project: Project,
): PlannedChange {
  const claimed = claimPlan({ steps }, format, { key, artifact, sha256: computeSha256 })
  const claims = { ...claimed, reads: resolveReads(claimed.reads, artifact, project) }
  return {
    artifact,
    base: hashText(before.text),
    before: before.text,
    after: steps.at(-1)?.after.text ?? before.text,
    steps: steps.map(({ splices, inverse }) => ({ splices, inverse })),
    splices: joinSteps(before.text, steps)?.splices ?? [],
    deltas,
    claims,
    symbols: nameChange(claims, before, steps.at(-1)?.after ?? before),
    written: [...new Set(steps.flatMap(listWrittenTexts))],
  }
}

export function hashText(text: string): string {
  return computeContentHash(Buffer.from(text))
}
