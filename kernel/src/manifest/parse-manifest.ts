/** A manifest from JSON: what is unknown, contradictory or unsafe in any part refuses the whole of it. */
import { checkMessage } from '../canonical/check-json.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { type DocumentProblem, Place } from '../contract/reader.ts'
import { buildManifestFailure, toManifestFailure } from '../expression/parse-expression.ts'
import { createNamed, type Named } from '../expression/read-expression.ts'
import { LIMITS } from '../limits.ts'
import { err, type Failure, ok, type Result } from '../result.ts'
import { checkShape } from './check-shape.ts'
import { findContradiction } from './find-contradiction.ts'
import type { ToolManifest } from './tool-manifest.ts'

/** The failure names the first problem; `meta.problems` has all of them, by their places. */
export function parseManifest(value: unknown): Result<ToolManifest, Failure> {
  const checked = checkMessage(value)
  if (!checked.ok) return err(buildManifestFailure(checked.error.path, checked.error.detail))
  const problems = listShapeProblems(checked.value, createNamed())
  const [first] = problems
  if (first !== undefined) {
    const { meta, ...failure } = toManifestFailure(first)
    const all = problems.map((one) => toManifestFailure(one).summary)
    return err({ ...failure, meta: { ...meta, problems: all } })
  }
  // Its shape was checked, member by member.
  const manifest = checked.value as unknown as ToolManifest
  const contradiction = findContradiction(manifest)
  return contradiction === undefined ? ok(manifest) : err(toManifestFailure(contradiction))
}

/** Pointers into the parameters that it names anywhere: its schema must have each. */
export function listManifestPointers(manifest: ToolManifest): readonly string[] {
  return [...readNamed(manifest).pointers].sort()
}

/** What is named in a manifest that parsed. */
export function readNamed(manifest: ToolManifest): Named {
  const named = createNamed()
  listShapeProblems(manifest, named)
  return named
}

function listShapeProblems(document: JsonValue, named: Named): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = []
  const place = new Place(problems)
  checkShape(document, place, named)
  const { manifestNodes, manifestList } = LIMITS
  if (named.nodes > manifestNodes) place.refuse(`has over ${manifestNodes} parts of expressions`)
  if (named.facts.size > manifestList) place.refuse(`reads over ${manifestList} facts`)
  return problems
}
