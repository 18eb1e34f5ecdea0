/** Answers one request. Pure: texts come with it, and the same request has the same answer. */
import { checkComposition, ok, type Result, STRATEGIES } from 'rubicon-kernel'
import { compareTexts } from './compare-texts.ts'
import { composeParts } from './compose-parts.ts'
import type { DeskAnswer, DeskProblem } from './desk-answer.ts'
import type { DeskRequest } from './desk-request.ts'
import { listDeskSymbols, readSlice } from './list-desk-symbols.ts'
import { mergeParts } from './merge-parts.ts'
import { planChanges } from './plan-changes.ts'
import { undoParts } from './undo-parts.ts'

export function answerRequest(request: DeskRequest): Result<DeskAnswer, DeskProblem> {
  switch (request.ask) {
    case 'symbols':
      return listDeskSymbols(request)
    case 'slice':
      return readSlice(request)
    case 'plan':
      return planChanges(request)
    case 'conflicts': {
      const { strategy, claims } = request
      return ok({ problems: checkComposition(strategy ?? STRATEGIES.SingleWriter, claims) })
    }
    case 'compose':
      return composeParts(request)
    case 'undo':
      return undoParts(request)
    case 'merge':
      return mergeParts(request)
    case 'compare':
      return ok(compareTexts(request))
  }
}
