/**
 * Artifacts that were read for an earlier request: most of a project is the same from one to the next, and to parse is most of the work.
 * What is kept follows from name, format and text alone, so that nobody can tell by an answer whether something was.
 */
import type { Format } from '../formats/format.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { type ProjectArtifact, readArtifact } from '../project/artifact.ts'

const kept = new Map<string, ProjectArtifact>()
let characters = 0

export function readKept(name: string, text: string, format: Format | undefined): ProjectArtifact {
  const key = `${format?.media ?? ''} ${name}`
  const known = kept.get(key)
  if (known !== undefined) drop(key, known)
  const artifact = known?.text === text ? known : readArtifact(name, text, format)
  // Behind all others: what was used last is dropped last.
  kept.set(key, artifact)
  characters += artifact.text.length
  for (const [oldest, one] of kept) {
    if (characters <= ARTIFACT_LIMITS.deskKept) break
    drop(oldest, one)
  }
  return artifact
}

function drop(key: string, { text }: ProjectArtifact): void {
  kept.delete(key)
  characters -= text.length
}
