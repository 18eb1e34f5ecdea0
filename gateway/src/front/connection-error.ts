/** What a client is told where the runtime itself could not be asked, or did not decide. */
import { AgentError, SafeModeError } from 'rubicon-agents'

export type ToldError = { readonly code: string; readonly words: readonly string[] }

/**
 * Of a call, only a refusal before anything was decided says that nothing happened: a request that was lost, or that
 * ended in an error of the runtime, may have been carried out. A question changes nothing and says nothing of it.
 */
export function describeConnectionError(error: unknown, asked: 'call' | 'question'): ToldError {
  const code = error instanceof AgentError ? error.code : 'GATEWAY_FAILED'
  const summary = error instanceof AgentError ? error.message.slice(code.length + 2) : FAILED
  const fix = error instanceof AgentError ? error.fix : ''
  const effect = asked === 'question' ? '' : isRefusal(error) ? NOTHING : UNKNOWN
  return { code, words: [summary, effect, fix].filter((word) => word !== '') }
}

const FAILED = 'The gateway could not ask the runtime.'
const NOTHING = 'Nothing was sent.'
const UNKNOWN =
  'It is not known whether this call was carried out: do not make it again before somebody has looked.'

/** Others of this range say that the same request was heard before. */
const LOST_STATUSES: readonly number[] = [408, 409, 425]

function isRefusal(error: unknown): boolean {
  if (!(error instanceof AgentError)) return false
  if (error instanceof SafeModeError || error.code === 'CONNECTION_ENDED') return true
  return error.status >= 400 && error.status < 500 && !LOST_STATUSES.includes(error.status)
}
