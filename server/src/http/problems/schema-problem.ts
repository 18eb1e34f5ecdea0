import type { ArgumentProblem } from 'rubicon-kernel'
import type { Reply } from '../schemas/route.ts'
import { toProblemReply } from './problem.ts'

/** What was asked is not what the route's schema says. */
export function refuseSchemaMismatch(
  what: 'query' | 'body',
  problems: readonly ArgumentProblem[],
): Reply {
  const [first] = problems
  return toProblemReply({
    code: 'SCHEMA_INVALID',
    summary: `the ${what} is invalid at \`${first?.path}\`: ${first?.detail}`,
    meta: { problems },
  })
}
