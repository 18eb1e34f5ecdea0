/** What reads much of the past: together they may ask no more than a few things at a time. */
import { PastQuestions } from '../past-questions.ts'
import type { Route } from '../route.ts'
import type { ServerParts } from '../server.ts'
import { decisionRoutes } from './decisions.ts'
import { monitorSeriesRoutes } from './monitor-series.ts'
import { playgroundRoutes } from './playground.ts'

export function pastRoutes(parts: ServerParts): readonly Route[] {
  const past = new PastQuestions(parts.engine.context.clock)
  return [
    ...decisionRoutes(parts, past),
    ...playgroundRoutes(parts, past),
    ...monitorSeriesRoutes(parts, past),
  ]
}
