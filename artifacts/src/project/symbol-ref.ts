/** A reference to a symbol that can be kept: it says what was meant, and as of which bytes. */
import { err, ok, type Result } from 'rubicon-kernel'
import type { Address } from 'rubicon-kernel/canonical'
import { hashSymbols } from './definitions.ts'
import { hashText } from './hash-project.ts'
import type { Project } from './project.ts'

export type SymbolRef = {
  readonly artifact: string
  readonly path: string
  /** Of what others see of it: it holds as long as this does. */
  readonly definition_hash: Address
  /** Of the artifact's bytes when it was made: where it comes from, not what it holds by. */
  readonly parent_hash: Address
}

export type RefProblem = {
  readonly kind: 'PARENT_UNKNOWN' | 'VANISHED' | 'CHANGED'
  readonly detail: string
}

/** Null: there is no such symbol. */
export function createRef(project: Project, artifact: string, path: string): SymbolRef | null {
  const hashes = hashSymbols(project, artifact).get(path)
  if (hashes === undefined) return null
  const parent_hash = hashText(project, artifact)
  return { artifact, path, definition_hash: hashes.definition, parent_hash }
}

/** `isKnown` says whether bytes of that hash were ever there. */
export function checkRef(
  project: Project,
  { artifact, path, definition_hash, parent_hash }: SymbolRef,
  isKnown: (parent: Address) => boolean,
): Result<null, RefProblem> {
  const target = `\`${path}\` of \`${artifact}\``
  if (hashText(project, artifact) !== parent_hash && !isKnown(parent_hash))
    return err({ kind: 'PARENT_UNKNOWN', detail: `${target} is of bytes that were never there` })
  const hashes = hashSymbols(project, artifact).get(path)
  if (hashes === undefined) return err({ kind: 'VANISHED', detail: `${target} is gone` })
  return hashes.definition === definition_hash
    ? ok(null)
    : err({ kind: 'CHANGED', detail: `${target} has another definition now` })
}
