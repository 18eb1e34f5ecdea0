/** What reads much of the past: together they may ask no more than a few things at a time. */
import { PastQuestions } from '../past-questions.ts'
import type { Route } from '../route.ts'
import { decisionRoutes } from './decisions.ts'
import { evidenceRoutes } from './evidence.ts'
import { monitorSeriesRoutes } from './monitor-series.ts'
import { playgroundRoutes } from './playground.ts'
import type { RouteParts } from './route-parts.ts'

export function pastRoutes(parts: RouteParts): readonly Route[] {
  const past = new PastQuestions(parts.engine.context.clock)
  return [
    ...decisionRoutes(parts),
    ...playgroundRoutes(parts, past),
    ...monitorSeriesRoutes(parts, past),
    ...evidenceRoutes(parts, past),
  ]
}
