/** What could not be done for an agent, as an exception with a code. A verdict is never one of these. */
import type { AnyProblem } from '../call.ts'

/** What an error says. */
export type AgentErrorTerms = {
  /** One that `rubicon explain` knows, or one of this package. */
  readonly code: string
  /** What went wrong, in one line. */
  readonly summary: string
  /** What helps. */
  readonly fix?: string | undefined
  /** Of the refusal over HTTP; 0 where none came, and in process. */
  readonly status?: number
  /** What belongs to it, such as the version that is spoken. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
}

/** The job could not be done, and `code` says why. */
export class AgentError extends Error {
  /** As `rubicon explain` knows it. */
  readonly code: string
  /** Of the refusal over HTTP; 0 where none came, and in process. */
  readonly status: number
  /** What helps. */
  readonly fix: string
  /** What belongs to it, such as the version that is spoken. */
  readonly meta: Readonly<Record<string, unknown>>

  constructor({ code, summary, fix = '', status = 0, meta = {} }: AgentErrorTerms) {
    super(`${code}: ${summary}`)
    this.name = 'AgentError'
    this.code = code
    this.status = status
    this.fix = fix
    this.meta = meta
  }
}

/** The clock of this process is not that of the runtime: whatever it signs is too old, or not yet of its time. */
export class ClientClockError extends AgentError {
  /** How far the runtime is ahead of this process. */
  readonly skew_ms: number

  constructor(code: string, skew_ms: number) {
    const direction = skew_ms > 0 ? 'behind' : 'ahead of'
    super({
      code,
      status: 401,
      summary: `the clock here is ${Math.round(Math.abs(skew_ms) / 1000)} s ${direction} that of the runtime: a signature was refused for its time`,
      fix: 'set the clock of this machine, or pass a `clock` that is right',
      meta: { skew_ms },
    })
    this.name = 'ClientClockError'
    this.skew_ms = skew_ms
  }
}

/** The runtime speaks another version: the agent is passive until it speaks this one again, and nothing was sent. */
export class SafeModeError extends AgentError {
  constructor(problem: AnyProblem) {
    super({
      code: problem.code,
      status: problem.status,
      summary: `the agent is in safe mode and proposes nothing: ${problem.detail}`,
      fix: problem.fix,
      meta: problem.meta,
    })
    this.name = 'SafeModeError'
  }
}

/** A refusal over HTTP, as an error. */
export function toAgentError(problem: AnyProblem): AgentError {
  const { code, status, detail: summary, fix } = problem
  return new AgentError({ code, status, summary, fix, meta: problem.meta })
}
