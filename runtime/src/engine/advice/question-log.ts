/**
 * What advisers asked models, on the record of the flow: an entry, and word for word beside the ledger, where it is
 * erased with the flow.
 *
 * L1 a flow that is not written yet (an act is opened and decided in one unit) takes its entries afterwards.
 * L2 what a store does not take is tried again with the next round; nothing else waits for it.
 */
import { type AdvicePayload, LIMITS, toCanonicalText } from 'rubicon-kernel'
import type { Write } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { buildNotErasedGuard } from '../rows/erased-flow.ts'
import { mintSalt } from '../rows/identity.ts'
import type { Adviser } from './adviser-budget.ts'
import type { AskedQuestion } from './ask-model.ts'
import type { Subject } from './opinion.ts'

export type RecordedQuestions = {
  readonly adviser: Adviser
  readonly subject: Subject
  readonly questions: readonly AskedQuestion[]
  readonly opinion: AdvicePayload['opinion']
}

type Waiting = { readonly asked: RecordedQuestions; readonly since: number }

export class QuestionLog {
  readonly #deps: Deps
  #waiting: Waiting[] = []

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Never throws. */
  async record(asked: RecordedQuestions): Promise<void> {
    if (asked.questions.length === 0) return
    if (await this.#write(asked)) return
    if (this.#waiting.length < LIMITS.guardQuestions)
      this.#waiting.push({ asked, since: this.#deps.clock.monotonic() })
  }

  /** What waits, once more. What has no flow after a while never gets one. */
  async flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    const now = this.#deps.clock.monotonic()
    for (const one of waiting) {
      const isOld = now - one.since > LIMITS.modelMs
      if (!(await this.#write(one.asked)) && !isOld) this.#waiting.push(one)
    }
  }

  /** False: the flow is not there, or the store did not take it. */
  async #write(asked: RecordedQuestions): Promise<boolean> {
    const { store } = this.#deps
    const { dfid } = asked.subject
    try {
      if ((await store.readFlow(dfid)) === null) return false
      const writes = buildQuestionWrites(this.#deps, asked)
      // Of a flow that was erased nothing is kept.
      await store.commit({ guards: [buildNotErasedGuard(dfid)], writes })
      return true
    } catch {
      return false
    }
  }
}

export function buildQuestionWrites(
  deps: Pick<Deps, 'random'>,
  { adviser, subject, questions, opinion }: RecordedQuestions,
): readonly Write[] {
  const { dfid, trajectory, step_id, proposal_hash } = subject
  return questions.flatMap((question): readonly Write[] => {
    const { generation_id, provider, model, request, request_hash, response, failure } = question
    const payload: AdvicePayload = {
      ...{ salt: mintSalt(deps), source: 'adviser', adviser: adviser.kind, by: adviser.name },
      ...{ step_id, proposal_hash, generation_id, provider, model, request_hash },
      ...{ cost: question.used, opinion, ...question.found },
    }
    const text = toCanonicalText(payload)
    return [
      { kind: 'append', trajectory, entry: 'evidence', dfid, payload: text },
      {
        ...{ kind: 'put_record', record: 'generation_text', group: dfid, key: generation_id },
        body: { request, response, failure },
      },
    ]
  })
}
