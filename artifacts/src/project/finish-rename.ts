/** The last step of a rename: behind it, the artifact holds what it held, and every name in it means what it meant. */
import { err, ok, type Result } from 'rubicon-kernel'
import { findCollateral } from '../delta/find-collateral.ts'
import type { DeltaProblem, Plan } from '../delta/plan.ts'
import type { Reference } from '../formats/format.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { isOverlapping, type Span } from '../text/span.ts'
import { applySplices, invertSplices, type Splice, sortSplices } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { listSymbols, type ProjectArtifact, readArtifact } from './artifact.ts'
import { listRawReferences } from './symbol-references.ts'

/** And the artifact behind it. */
export type FinishedRename = { readonly plan: Plan; readonly next: ProjectArtifact }

export function finishRename(
  artifact: ProjectArtifact,
  splices: readonly Splice[],
): Result<FinishedRename, DeltaProblem> {
  const { parsed, format } = artifact
  const sorted = sortSplices(splices)
  const text = applySplices(artifact.text, sorted)
  if (parsed === null || format === null || text === null)
    return err({ code: 'TARGET_UNFIT', detail: 'parts of the change overlap' })
  const next = readArtifact(artifact.name, text, format)
  const after = next.parsed
  if (after === null)
    return err({
      code: 'FRAGMENT_INVALID',
      detail: next.problem?.detail ?? 'it cannot be read behind the change',
      at: next.problem?.at ?? null,
    })
  const put = listPutSpans(sorted)
  const meant = {
    around: null,
    before: listNamedBy(parsed, sorted),
    after: listNamedBy(after, put),
  }
  const collateral = findCollateral(parsed, sorted, after, meant)
  if (collateral !== null) return err({ code: 'FRAGMENT_REACHES_OUT', ...collateral })
  const captured = findCaptured(listRawReferences(artifact), listRawReferences(next), sorted)
  if (captured !== null)
    return err({
      code: 'NAME_TAKEN',
      detail: 'a name here would mean something else',
      at: captured,
    })
  const inverse = invertSplices(artifact.text, sorted)
  return ok({ plan: { splices: sorted, after, inverse }, next })
}

/** Symbols whose name, or whose text by which they go, is written anew. */
function listNamedBy({ symbols }: ParsedText, spans: readonly Span[]): readonly string[] {
  const isNamed = (named: Span): boolean => spans.some((span) => isOverlapping(span, named))
  return listSymbols(symbols)
    .filter(({ nameSpan, own }) => isNamed(nameSpan ?? own))
    .map(({ path }) => path)
}

/** R2. Names are held against each other in the order of the text: each at its place, and of the same kind. */
function findCaptured(
  before: readonly Reference[],
  after: readonly Reference[],
  splices: readonly Splice[],
): Span | null {
  const found = [...after].sort(comparePlaces)
  const kept = [...before].sort(comparePlaces)
  for (const [i, { at, to }] of kept.entries()) {
    const other = found[i]
    const isThere = other?.at.start === moveName(at.start, splices)
    if (!isThere || other.to.kind !== to.kind) return at
  }
  return found[kept.length]?.at ?? null
}

/** Where a name is behind the splices: it, or what is put in its place. A property that is spelled out has it behind the colon. */
export function moveName(place: number, splices: readonly Splice[]): number {
  let shift = 0
  for (const { start, end, text } of splices) {
    if (start > place) break
    if (start < place) shift += text.length - (end - start)
    else shift += text.lastIndexOf(' ') + 1
  }
  return place + shift
}

function comparePlaces(one: Reference, other: Reference): number {
  return one.at.start - other.at.start
}
