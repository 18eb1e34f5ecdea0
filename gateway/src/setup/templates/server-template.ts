/**
 * What is known of a common server: which of its tools reads, and which argument names what. A server is one of these if it
 * has the tools by which it is known; a tool is taken from the template only if its schema has the arguments that are
 * bounded. So a tool that merely has the name of another is proposed as any other tool is.
 */
import type { ToolManifest } from 'rubicon-kernel'
import type { ToolClassName } from '../../lock/tool-class.ts'

/** What a contract can say about the arguments of common servers. */
export const BOUNDS = ['branches', 'folders', 'hosts', 'owners', 'repositories', 'tables'] as const
export type BoundName = (typeof BOUNDS)[number]

export function isBoundName(text: string): text is BoundName {
  return (BOUNDS as readonly string[]).includes(text)
}

export type BoundArgument = {
  readonly bound: BoundName
  /** The JSON pointer of the argument. */
  readonly at: string
}

export type TemplateTool = {
  readonly class: ToolClassName
  /** What its arguments name. As long as nobody has said which are meant, it asks. */
  readonly names?: readonly BoundArgument[]
  readonly measures?: NonNullable<ToolManifest['measures']>
  /** Arguments that a program is handed as they are: one that begins with `-` would be an option of it, and no name. */
  readonly words?: readonly string[]
  /** Arguments that a server writes into an address as they are: one with `..` in it would lead to what another argument does not name. */
  readonly ways?: readonly string[]
  /** Arguments by which what was read elsewhere leaves, or is kept for later. */
  readonly leaves?: readonly string[]
}

/** A limit of the contract on a measure of the template. */
export type TemplateLimit = { readonly measure: string; readonly max: string }

export type ServerTemplate = {
  readonly name: string
  /** Tools of which a server of this kind has one. */
  readonly knownBy: readonly string[]
  readonly tools: Readonly<Record<string, TemplateTool>>
  readonly limits?: readonly TemplateLimit[]
}
