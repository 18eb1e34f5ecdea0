/**
 * What would have been decided? Recorded decisions under another contract, another Cedar policy, other
 * parameters or facts. Nothing is recorded and nothing is sent.
 */
import {
  type Contract,
  err,
  type Failure,
  type JsonObject,
  type JsonValue,
  LIMITS,
  ok,
  type Result,
  type Verdict,
} from 'rubicon-kernel'
import { formatContract } from 'rubicon-runtime/contract-file'
import type { Context } from 'rubicon-runtime/engine'
import {
  type Again,
  applyTrial,
  CaseReader,
  createPolicyCase,
  type DecisionCase,
  isSame,
  type LastTried,
  type Trial,
  tryCase,
  tryLast,
} from 'rubicon-runtime/evidence'
import { toCedarInput } from 'rubicon-runtime/policies'
import type { StoredEntry } from 'rubicon-runtime/ports'
import { getPrincipalName } from '../../people/principal.ts'
import { type AskDraft, createDraftAsker } from '../drafts/drafts-of.ts'
import { DraftEnded } from '../problems/draft-ended.ts'
import { refuseOverload, toProblemReply } from '../problems/problem.ts'
import { refuseSchemaMismatch } from '../problems/schema-problem.ts'
import { tried as triedSchema } from '../schemas/decision.ts'
import { type Reply, type Route, toReply } from '../schemas/route.ts'
import { buildClosedObject, identifier, open, text } from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { LargeRequests } from '../turns/large-requests.ts'
import { type Pause, type SlowReads, toSlowReadCaller } from '../turns/slow-reads.ts'
import { toDecisionPlace } from '../views/decision-place.ts'

const body = buildClosedObject({
  decision: buildClosedObject({ trajectory: identifier, seq: { type: 'integer', minimum: 0 } }, [
    'trajectory',
    'seq',
  ]),
  last: { type: 'integer', minimum: 1, maximum: LIMITS.pastDecisions },
  agent: identifier,
  contract: text(LIMITS.sourceLength),
  cedar: buildClosedObject({ name: identifier, text: text(LIMITS.sourceLength) }, ['name', 'text']),
  params: open,
  state: open,
  save: text(256),
})

type Question = {
  readonly decision?: { readonly trajectory: string; readonly seq: number }
  readonly last?: number
  readonly agent?: string
  readonly contract?: string
  readonly cedar?: { readonly name: string; readonly text: string }
  readonly params?: JsonObject
  readonly state?: JsonObject
  readonly save?: string
}

export function createPlaygroundRoutes(parts: ServerParts, past: SlowReads): readonly Route[] {
  const { context } = parts.engine
  // To judge one decision takes the thread for as long as to decide it did, and whoever tries chooses what of.
  const trials = new LargeRequests(context.clock)
  return [
    {
      method: 'POST',
      path: '/v1/playground',
      operation: 'tryLaw',
      summary:
        'judge a recorded decision, or the last ones, under changed rules; nothing is recorded',
      unlinked: true,
      roles: ['operator', 'approver', 'auditor'],
      body,
      reply: triedSchema,
      beside: true,
      async handle(asked) {
        const question = parseQuestion(asked.body)
        if (question.decision === undefined && question.last === undefined)
          return refuseEmptyQuestion()
        const trial = await buildTrial(question, createDraftAsker(parts, asked))
        if (!trial.ok) return toProblemReply(trial.error)
        const { principal, isGone } = asked
        const tryNow = (): ReturnType<typeof tryOne> => tryOne(context, question, trial.value)
        const one = await trials.handle(getPrincipalName(principal), isGone, tryNow)
        if (one === null) return hungUp
        if (!one.ok) return one.error
        const { last } = question
        if (last === undefined) return toReply({ one: one.value, last: null })
        return past.ask(toSlowReadCaller(asked), (pause) =>
          tryMany(context, { ...question, last }, trial.value, one.value, pause),
        )
      },
    },
  ]
}

/** Read as strictly as what is put in force, and asked where it is read. */
async function buildTrial(question: Question, ask: AskDraft): Promise<Result<Trial, Failure>> {
  const { contract, cedar, params, state } = question
  const changed = contract === undefined ? NONE : await ask({ kind: 'contract', text: contract })
  if (!changed.ok) return changed
  const policy = cedar === undefined ? NONE : await askDraftPolicy(cedar, ask)
  if (!policy.ok) return policy
  return ok({
    contract: changed.value,
    policy: null,
    ...policy.value,
    ...(params === undefined ? {} : { params }),
    ...(state === undefined ? {} : { state }),
  })
}

const NONE: Result<null, Failure> = ok(null)

async function askDraftPolicy(
  policy: NonNullable<Question['cedar']>,
  ask: AskDraft,
): Promise<Result<Pick<Trial, 'policy' | 'answerOf'>, Failure>> {
  const rules = await ask({ kind: 'policy', policy })
  if (!rules.ok) return rules
  const evaluate = (): never => {
    throw new Error('a draft is asked in its own thread')
  }
  return ok({
    policy: { ...rules.value, evaluate },
    async answerOf(input) {
      const answer = await ask({ kind: 'answer', policy, input: toCedarInput(input) })
      if (!answer.ok) throw new DraftEnded(answer.error)
      return answer.value
    },
  })
}

async function tryOne(
  { store, authorities, book }: Context,
  { decision, save }: Question,
  trial: Trial,
): Promise<Result<object | null, Reply>> {
  if (decision === undefined) return ok(null)
  const [entry] = await store.listEntries(decision.trajectory, decision.seq, 1)
  const reader = new CaseReader(store, await authorities.loadLatest())
  const found = entry?.envelope.seq === decision.seq ? await reader.read(entry) : null
  if (entry === undefined || found === null) return err(refuseNoDecision(decision))
  const again = found.ok ? await tryCase(found.value, trial, book.rules) : found
  if (!found.ok || !again.ok) return err(refuseRejudging(again.ok ? '' : again.error))
  const { agent_id } = found.value.facts.flow
  const { contract } = trial
  if (contract !== null && contract.agent_id !== agent_id)
    return err(refuseForeignContract(contract, agent_id))
  return ok(toTrialView(entry, found.value, again.value, trial, save))
}

async function tryMany(
  { store, authorities, book }: Context,
  { last, agent }: Question & { readonly last: number },
  trial: Trial,
  one: object | null,
  pause: Pause,
): Promise<Reply> {
  const authority = await authorities.loadLatest()
  // A contract changes what its own agent is told, and nobody else.
  const whose = agent ?? trial.contract?.agent_id
  const range = { last, ...(whose === undefined ? {} : { agent: whose }) }
  const tried = await tryLast(store, { authority, law: book.rules }, trial, range, pause)
  return toReply({ one, last: { ...tried, flips: tried.flips.map(toFlipRow) } })
}

function toFlipRow({ entry, agent_id, recorded, now }: LastTried['flips'][number]): object {
  return { ...toDecisionPlace(entry, agent_id), recorded, now }
}

function toTrialView(
  entry: StoredEntry,
  found: DecisionCase,
  { recorded, now, verdict }: Again,
  trial: Trial,
  save: string | undefined,
): object {
  const judged = applyTrial(found, trial)
  const { contract, facts, proposal } = judged
  const policies = verdict.trace.flatMap((line) => line.policies ?? [])
  return {
    decision: { ...toDecisionPlace(entry, facts.flow.agent_id), ...recorded },
    recorded,
    now,
    flips: !isSame(recorded, now),
    ...toReasons(verdict),
    determining: policies.flatMap(({ policy, determining }) =>
      determining.map((rule) => ({ policy, rule })),
    ),
    erroring: policies.flatMap(({ policy, erroring }) =>
      erroring.map(({ rule, detail }) => ({ policy, rule, detail })),
    ),
    trace: verdict.trace,
    proposal,
    state: facts.state,
    contract: contract === null ? null : formatContract(contract),
    saved: save === undefined ? null : createPolicyCase(save, judged, now),
  }
}

function toReasons(verdict: Verdict): {
  readonly stage: string | null
  readonly reasons: object[]
} {
  switch (verdict.kind) {
    case 'staged':
    case 'repeated':
      return { stage: null, reasons: [] }
    case 'rejected':
      return {
        stage: verdict.stage,
        reasons: verdict.refusals.map(({ code, domain_code = null, details }) => {
          return { id: null, code, domain_code, details }
        }),
      }
    case 'suspended':
      return {
        stage: verdict.trace.find(({ said }) => said === 'suspend')?.stage ?? null,
        reasons: verdict.triggers.map(({ id, code, domain_code = null, details }) => {
          return { id, code, domain_code, details }
        }),
      }
  }
}

function parseQuestion(body: JsonValue): Question {
  return body as Question
}

function refuseEmptyQuestion(): Reply {
  return refuseSchemaMismatch('body', [{ path: '', detail: 'it needs `decision` or `last`' }])
}

function refuseNoDecision({ trajectory, seq }: NonNullable<Question['decision']>): Reply {
  return toProblemReply({
    code: 'ENTRY_NO_DECISION',
    summary: `entry ${seq} of \`${trajectory}\` is no decision`,
    fix: 'choose one of GET /v1/decisions',
  })
}

function refuseRejudging(why: string): Reply {
  return toProblemReply({
    code: 'DECISION_NOT_AGAIN',
    summary: 'the decision cannot be judged again',
    why,
    fix: 'choose another',
  })
}

/** Nobody reads it. */
const hungUp = refuseOverload('the client has closed the connection', 'others have priority')

function refuseForeignContract({ agent_id }: Contract, agent: string): Reply {
  return toProblemReply({
    code: 'IDENTITY_MISMATCH',
    summary: `the contract is one of \`${agent_id}\`, the decision one of \`${agent}\``,
    fix: 'change the contract of the agent whose decision it was',
  })
}
