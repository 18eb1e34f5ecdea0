/** Whether the process is there, whether it can decide, and what it counted. */

import { Readiness } from '../gate/readiness.ts'
import { buildHttpProblem } from '../problems/problem.ts'
import { type Route, toReply } from '../schemas/route.ts'
import { boolean, buildArray, buildEnum, buildWholeObject, string } from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

export function createHealthRoutes({ engine, metrics }: ServerParts): readonly Route[] {
  const readiness = new Readiness(engine)
  return [
    {
      method: 'GET',
      path: '/healthz',
      operation: 'getHealth',
      summary: 'the process is up',
      roles: 'anyone',
      reply: buildWholeObject({ status: buildEnum('up') }),
      handle: () => toReply({ status: 'up' }),
    },
    {
      method: 'GET',
      path: '/readyz',
      operation: 'getReadiness',
      summary: 'whether it can decide, and if not, why',
      roles: 'anyone',
      reply: buildWholeObject({
        ready: boolean,
        problems: buildArray(buildWholeObject({ code: string, summary: string })),
      }),
      also: 503,
      async handle() {
        const problems = await readiness.findProblems()
        const ready = problems.length === 0
        return toReply({ ready, problems }, ready ? 200 : 503)
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      operation: 'getMetrics',
      summary: 'counters and histograms, for Prometheus',
      roles: ['operator', 'approver', 'auditor'],
      reply: 'text',
      async handle() {
        if (metrics === undefined)
          return buildHttpProblem('ROUTE_UNKNOWN', 'nothing is measured here')
        const body = await metrics.render()
        return { status: 200, body, headers: { 'content-type': metrics.contentType } }
      },
    },
  ]
}
