import type { Verb } from './call.ts'

/** What is typed, and what it does. */
export type Option = readonly [flags: string, description: string]

export type VerbSpec = {
  /** The words that are typed. */
  readonly verb: string
  readonly args?: string
  readonly summary: string
  readonly options?: readonly Option[]
  readonly load: () => Promise<Verb>
}

/** Options that several verbs take. */
export const YES: Option = ['--yes', 'do not ask']
export const REASON: Option = ['--reason <text>', 'why; it is signed and recorded']
