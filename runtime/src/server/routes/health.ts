/** Whether the process is there, whether it can decide, and what it counted. */
import { buildHttpProblem } from '../problem.ts'
import { Readiness } from '../readiness.ts'
import { done, type Route } from '../route.ts'
import type { ServerParts } from '../server.ts'
import { boolean, many, string, whole, words } from './shape.ts'

export function healthRoutes({ engine, metrics }: ServerParts): readonly Route[] {
  const readiness = new Readiness(engine)
  return [
    {
      method: 'GET',
      path: '/healthz',
      operation: 'getHealth',
      summary: 'the process is up',
      roles: 'anyone',
      reply: whole({ status: words('up') }),
      handle: () => done({ status: 'up' }),
    },
    {
      method: 'GET',
      path: '/readyz',
      operation: 'getReadiness',
      summary: 'it can decide; if not, why',
      roles: 'anyone',
      reply: whole({ ready: boolean, problems: many(whole({ code: string, summary: string })) }),
      also: 503,
      async handle() {
        const problems = await readiness.problems()
        const ready = problems.length === 0
        return done({ ready, problems }, ready ? 200 : 503)
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
