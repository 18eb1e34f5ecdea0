import type { ClientRequest } from 'node:http'
import { LIMITS } from 'rubicon-kernel'

/**
 * Ends a request whose server says again and again that it is going to answer (1xx). Nothing else counts them, and to read one
 * takes longer than to send it: a stream of them held this process up for as long as an answer may take.
 */
export function countProvisional(request: ClientRequest): void {
  let answers = 0
  request.on('information', () => {
    answers += 1
    if (answers <= LIMITS.provisionalAnswers) return
    const problem = new Error(`more than ${LIMITS.provisionalAnswers} provisional answers`)
    request.destroy(Object.assign(problem, { code: 'PROVISIONAL_ANSWERS' }))
  })
}
