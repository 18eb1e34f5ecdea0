/** Answers a request that is a text, whatever it holds. */
import { err, type Result } from 'rubicon-kernel'
import { answerRequest } from './answer-request.ts'
import type { DeskAnswer, DeskProblem } from './desk-answer.ts'
import { parseRequest } from './parse-request.ts'

export function answerText(request: string): string {
  return JSON.stringify(answerWhatever(request))
}

function answerWhatever(request: string): Result<DeskAnswer, DeskProblem> {
  try {
    const parsed = parseRequest(JSON.parse(request))
    return parsed.ok ? answerRequest(parsed.value) : parsed
  } catch (cause) {
    // A parser that recurses was led to the end of its stack.
    if (cause instanceof RangeError)
      return err({ code: 'ARTIFACT_UNREADABLE', detail: 'it is nested too deep, or too long' })
    const detail = cause instanceof Error ? cause.message : String(cause)
    return err({ code: 'DESK_FAILED', detail })
  }
}
