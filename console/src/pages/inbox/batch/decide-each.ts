/**
 * Decides several requests, one after the other, each by the route and the law of one.
 *
 * E1 what is decided was shown: each is read once more just before, and where it has moved since it was shown, other
 *    than by what was shown with it, it is not decided.
 * E2 each has a key of its own. What was not heard of is sent again as it was, under its key, and counts once; nothing
 *    is sent behind it meanwhile.
 * E3 one reason, typed once, is the reason of each.
 */
import { buildDecisionBody, type DecisionBody } from 'rubicon-agents'
import type {
  AnyProblem,
  ClientAnswer,
  Decided,
  EscalationBrief,
  PreviewRow,
} from 'rubicon-agents/client'
import type { FactMove } from '../moved-facts.ts'
import { findSurprises } from './batch-moves.ts'
import { type BatchWord, findBatchObstacle } from './batch-obstacle.ts'

export type BatchResult =
  | { readonly kind: 'decided'; readonly decided: Decided }
  | { readonly kind: 'refused'; readonly problem: AnyProblem }
  /** Empty: nobody can say what. */
  | { readonly kind: 'moved'; readonly moves: readonly FactMove[] }
  | { readonly kind: 'obstacle'; readonly why: string }
  /** Whether it arrived is not known, or there was no answer in time to say so. */
  | { readonly kind: 'unheard'; readonly problem: AnyProblem }

export type Sent = { readonly key: string; readonly body: DecisionBody }

export type BatchServer = {
  readonly readBrief: (id: string) => Promise<ClientAnswer<EscalationBrief>>
  readonly decide: (id: string, sent: Sent) => Promise<ClientAnswer<Decided>>
  readonly createKey: () => string
}

export type BatchTask = {
  readonly word: BatchWord
  readonly reason: string
  /** As they were shown. */
  readonly shown: readonly EscalationBrief[]
  /** What was sent before and not heard of, by the id of the request. */
  readonly unheard: Map<string, Sent>
  /** What approvals before have made, in this run and in those before it. */
  readonly made: PreviewRow[]
  readonly tell: (id: string, result: BatchResult) => void
  readonly isStopped: () => boolean
}

export async function decideEach(server: BatchServer, task: BatchTask): Promise<void> {
  for (const seen of task.shown) {
    if (task.isStopped()) return
    const result = await decideOne(server, task, seen)
    task.tell(seen.id, result)
    if (result.kind === 'unheard') return
  }
}

async function decideOne(
  server: BatchServer,
  task: BatchTask,
  seen: EscalationBrief,
): Promise<BatchResult> {
  const before = task.unheard.get(seen.id)
  if (before !== undefined) return sendDecision(server, task, seen, before)
  const answer = await server.readBrief(seen.id)
  if (!answer.ok) return toFailedResult(answer.problem)
  const latest = answer.body
  const obstacle = findBatchObstacle(latest, task.word)
  if (obstacle !== null) return { kind: 'obstacle', why: obstacle }
  const moves = findDifference(seen, latest, task)
  if (moves !== null) return { kind: 'moved', moves }
  const words = { reason: task.reason, acknowledgement: '' }
  const decision =
    task.word === 'ABORT'
      ? ({ word: 'ABORT', retire: false } as const)
      : ({ word: task.word } as const)
  const body = buildDecisionBody(latest, decision, words, Date.parse(latest.now))
  return sendDecision(server, task, latest, { key: server.createKey(), body })
}

/** Null: it is what was shown. */
function findDifference(
  seen: EscalationBrief,
  latest: EscalationBrief,
  { word, made }: BatchTask,
): readonly FactMove[] | null {
  const [a, b] = [seen.binds, latest.binds]
  const isSame =
    a.intent_digest === b.intent_digest &&
    a.shown_snapshot === b.shown_snapshot &&
    JSON.stringify(a.lifts) === JSON.stringify(b.lifts)
  if (!isSame) return []
  // A no is right on any facts.
  return word === 'ABORT' ? null : findSurprises(seen, latest, made)
}

async function sendDecision(
  server: BatchServer,
  { unheard, made, word }: BatchTask,
  { id, effect }: EscalationBrief,
  sent: Sent,
): Promise<BatchResult> {
  unheard.set(id, sent)
  const answer = await server.decide(id, sent)
  if (!answer.ok) {
    const result = toFailedResult(answer.problem)
    // A refusal is an answer: what is sent next is another intention.
    if (result.kind === 'refused') unheard.delete(id)
    return result
  }
  unheard.delete(id)
  if (word === 'OVERRIDE') made.push(...(effect?.changes ?? []))
  return { kind: 'decided', decided: answer.body }
}

/** Of a server that is too busy nothing was done: the same may be sent again. */
const LATER: ReadonlySet<number> = new Set([429, 503])

function toFailedResult(problem: AnyProblem): BatchResult {
  const isAnswer = problem.status >= 400 && !LATER.has(problem.status)
  return isAnswer ? { kind: 'refused', problem } : { kind: 'unheard', problem }
}
