/**
 * Artifacts that were read for an earlier request: most of a project is the same from one to the next, and to parse is most of the work.
 * What is kept follows from name, format and text alone, so that nobody can tell by an answer whether something was.
 */
import { hash } from 'node:crypto'
import type { Format } from '../formats/format.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { type ProjectArtifact, readArtifact } from '../project/artifact.ts'

export type ReadingWatch = {
  /** Hashes of texts that are taken for such that no parser reads. */
  readonly unreadable: ReadonlySet<string>
  /** Before a text is parsed its hash, and null behind it: whoever waits knows what ended the process, if it ends. */
  readonly tell: (reading: string | null) => void
}

/** In the process that asks nobody has to be told. */
let watch: ReadingWatch = { unreadable: new Set(), tell: () => {} }

export function watchReading(next: ReadingWatch): void {
  watch = next
}

/** What is shorter ends no parser. */
const WATCHED_LENGTH = 1_024

const kept = new Map<string, ProjectArtifact>()
let characters = 0

export function readKept(name: string, text: string, format: Format | undefined): ProjectArtifact {
  const key = `${format?.media ?? ''} ${name}`
  const known = kept.get(key)
  if (known !== undefined) drop(key, known)
  const artifact = known?.text === text ? known : readWatched(name, text, format)
  // Behind all others: what was used last is dropped last.
  kept.set(key, artifact)
  characters += artifact.text.length
  for (const [oldest, one] of kept) {
    if (characters <= ARTIFACT_LIMITS.deskKept) break
    drop(oldest, one)
  }
  return artifact
}

function readWatched(name: string, text: string, format: Format | undefined): ProjectArtifact {
  if (format === undefined || text.length < WATCHED_LENGTH) return readArtifact(name, text, format)
  const reading = hash('sha256', `${format.media}\n${text}`)
  if (watch.unreadable.has(reading))
    return { ...readArtifact(name, text, undefined), format, problem: UNREADABLE }
  watch.tell(reading)
  const artifact = readArtifact(name, text, format)
  watch.tell(null)
  return artifact
}

const UNREADABLE = { detail: 'reading it ended the process that did, or took too long', at: null }

function drop(key: string, { text }: ProjectArtifact): void {
  kept.delete(key)
  characters -= text.length
}
