/**
 * A desk in this process: for tests, and for scenarios that own their time. Only for texts that one trusts: a parser is code of others, and
 * some texts end the process that reads them.
 */
import { err } from 'rubicon-kernel'
import { answerText } from './answer-text.ts'
import type { Desk } from './desk-answer.ts'
import { parseAnswer } from './parse-answer.ts'

/** Requests and answers take the form that they have between processes: what works here works there. */
export function createDirectDesk(): Desk {
  let isClosed = false
  return {
    ask: async (request) => {
      if (isClosed) return err({ code: 'DESK_CLOSED', detail: 'the desk is closed' })
      return parseAnswer(request, JSON.parse(answerText(JSON.stringify(request))))
    },
    close: async () => {
      isClosed = true
    },
  }
}
