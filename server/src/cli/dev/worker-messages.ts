/** What the command and the process that serves a project say to each other. */
import type { Failure } from 'rubicon-kernel'
import type { ProjectDocument } from './scan-project.ts'

/** Where a worker works; it stands on its command line, so that nothing secret is in it. */
export type WorkerSettings = {
  readonly folder: string
  readonly rules: string | null
  readonly store: string
  readonly state: string
  readonly tenant: string
  readonly host: string
}

export type WorkerRequest =
  | { readonly kind: 'load' }
  | { readonly kind: 'serve'; readonly port: number; readonly token: string }
  | {
      readonly kind: 'deploy'
      readonly documents: readonly ProjectDocument[]
      /** Of all files that are there, as they were read last. */
      readonly names: DocumentNames
    }
  /** Lets go of the store and of the port, and keeps what it has loaded. */
  | { readonly kind: 'release' }

/** What a file holds: `contract refunds_bot`, by its path. */
export type DocumentNames = Readonly<Record<string, string>>

export type AnswerOf = {
  readonly load: LoadAnswer
  readonly serve: { readonly url: string }
  readonly deploy: { readonly notices: readonly DevNotice[]; readonly names: DocumentNames }
  readonly release: Readonly<Record<string, never>>
}

export type LoadAnswer = {
  /** Files of the project that were loaded as code, from its folder. */
  readonly files: readonly string[]
  /** Why it is not taken; none: it can serve. */
  readonly problems: readonly DevProblem[]
  readonly rules: RulesSummary
}

/** A place in a file, as editors follow it. */
export type DevProblem = {
  readonly file: string
  readonly line: number | null
  readonly detail: string
}

/** Names, and a hash of what is in force under each. */
export type RulesSummary = {
  readonly capabilities: Readonly<Record<string, string>>
  readonly policies: Readonly<Record<string, string>>
}

/** One thing that happened, as it is printed. */
export type DevNotice =
  | {
      readonly kind: 'contract'
      readonly file: string
      readonly name: string
      readonly version: string
      readonly changes: readonly string[]
    }
  | {
      readonly kind: 'monitor'
      readonly file: string
      readonly name: string
      readonly changes: readonly string[]
    }
  | {
      readonly kind: 'problem'
      readonly problems: readonly DevProblem[]
      /** An earlier version of the same is in force, and stays so. */
      readonly keeps: boolean
    }
  | { readonly kind: 'warning'; readonly text: string }
  | {
      readonly kind: 'decision'
      readonly agent: string
      readonly outcome: string
      readonly reason_code: string | null
      readonly flow: string
    }
  | {
      readonly kind: 'waiting'
      readonly agent: string
      readonly about: string
      readonly reason_code: string
    }

export type WorkerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: Failure }
  | { readonly kind: 'notice'; readonly notice: DevNotice }

/** A capability may send messages of its own: those are none of ours. */
export function isWorkerMessage(value: unknown): value is WorkerMessage {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  return value.kind === 'notice'
    ? 'notice' in value
    : (value.kind === 'answer' || value.kind === 'failure') && 'id' in value
}
