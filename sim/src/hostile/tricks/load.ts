/** Much at once: what one asks for waits behind itself, and is charged to nobody else. */
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { LIMITS } from 'rubicon-kernel'
import type { Deps } from '../../../../runtime/src/engine/deps.ts'
import { requestSigner } from '../../../../server/src/http/agent-auth/agent-key.ts'
import { ask } from '../../../../server/src/http/agent-auth/client.ts'
import { changeStore } from '../changed-store.ts'
import { type SecondServer, useSecondServer } from '../second-server.ts'
import { MALLORY, VICTIM } from '../shop.ts'
import { SlowWork } from '../slow-work.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'unpaid_work'
/** Nothing comes back while she tries. */
const FEW = { perSecond: 0, atOnce: 4 } as const
const TOGETHER = 6
const DOCUMENTS = 12
/** A few more than can be answered or wait. */
const SEARCHES = LIMITS.pastQuestions + LIMITS.pastQuestionsWaiting + 4
/** Who is refused at once is refused by then. */
const MOMENT_MS = 500
/** One is written, and so many wait. */
const MAY_WAIT = 1 + LIMITS.documentsWaitingEach
const LONG_MS = 15_000
const OPERATOR = 'opal@example.com'
/** A request of hers that waits behind those before it. */
const LARGE = 'x'.repeat(9_000)

/** Signatures take a moment to check. */
function createSlowChecker({ engine }: Stage, work: SlowWork): Pick<Deps, 'checker'> {
  const { checker } = engine.context
  return {
    checker: {
      async verify(...signed) {
        await work.take()
        return checker.verify(...signed)
      },
    },
  }
}

async function sendForgedTogether(stage: Stage, { url }: SecondServer): Promise<void> {
  const token = await stage.wire.getLiveSession(MALLORY)
  const sign = requestSigner(stage.engine, await stage.wire.getKey(MALLORY))
  const headers = { signature: `sig=:${'A'.repeat(86)}==:` }
  const sendForged = async (): Promise<void> =>
    stage.hear((await ask({ url, token, sign }, 'GET', '/v1/flows', { headers })).body)
  await Promise.all(Array.from({ length: 4 * TOGETHER }, sendForged))
}

/** Requests of hers on one connection, none of whose answers she has read. */
async function sendPipeline(stage: Stage, { url }: SecondServer): Promise<void> {
  const { port, host } = new URL(url)
  const authorization = `Bearer ${await stage.wire.getLiveSession(MALLORY)}`
  const sign = requestSigner(stage.engine, await stage.wire.getKey(MALLORY))
  const bytes = new Uint8Array(0)
  const signText = async (_: unknown, i: number): Promise<string> => {
    const proof = await sign({ method: 'GET', target: '/v1/flows', authorization, bytes })
    const connection = i === TOGETHER - 1 ? 'close' : 'keep-alive'
    const headers = Object.entries({ host, authorization, connection, ...proof })
    return `GET /v1/flows HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  }
  const texts = await Promise.all(Array.from({ length: TOGETHER }, signText))
  const socket = connect(Number(port), '127.0.0.1')
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve()).once('error', reject)
    socket.resume()
    socket.write(texts.join(''))
  })
}

async function proposeLarge(stage: Stage, { as }: SecondServer): Promise<void> {
  const flows = []
  for (let i = 0; i < FEW.atOnce; i++) flows.push(await stage.open())
  await Promise.all(
    flows.map(async (flow) => {
      const params = { instrument: 'ETH-USD', quantity: '1', memo: LARGE }
      const proposal = { policy_kind: 'BUY', params }
      stage.hear((await as(MALLORY, 'POST', `/v1/flows/${flow?.dfid}/proposals`, proposal)).body)
    }),
  )
}

/** An auditor's token is enough for it. */
async function tryDecisions(stage: Stage, { url }: SecondServer): Promise<void> {
  const place = { url, token: stage.wire.getToken('audit@example.com') }
  const body = { decision: { trajectory: 'main', seq: 1 } }
  const tryDecision = async (): Promise<void> =>
    stage.hear((await ask(place, 'POST', '/v1/playground', { body })).body)
  await Promise.all(Array.from({ length: TOGETHER }, tryDecision))
}

/** Searches of one auditor that find nothing yet, and then one of somebody else. */
async function searchAll(stage: Stage, url: string, release: () => void): Promise<number> {
  const search = async (name: string): Promise<number> => {
    const place = { url, token: stage.wire.getToken(name) }
    return (await ask(place, 'GET', '/v1/ledger/entries?q=kind:commit')).status
  }
  let refused = 0
  const full = Promise.withResolvers<void>()
  const hers = Array.from({ length: SEARCHES }, async () => {
    if ((await search('audit@example.com')) !== 200) refused += 1
    if (refused >= SEARCHES - LIMITS.pastQuestions - LIMITS.pastQuestionsWaiting) full.resolve()
  })
  await full.promise
  const other = search(OPERATOR)
  await Promise.race([other, wait(MOMENT_MS)])
  release()
  await Promise.all(hers)
  return other
}

/** Writes documents while none can be finished, until all that must be refused are, or long after. */
async function countRefused(as: SecondServer['as'], release: () => void): Promise<number> {
  let refused = 0
  const late = setTimeout(release, LONG_MS)
  const write = async (_: unknown, i: number): Promise<void> => {
    const body = { title: 'Shelf', text: 'shelf' }
    const { status } = await as(MALLORY, 'PUT', `/v1/agents/${MALLORY}/documents/shelf-${i}`, body)
    if (status !== 200) refused += 1
    if (refused >= DOCUMENTS - MAY_WAIT) release()
  }
  await Promise.all(Array.from({ length: DOCUMENTS }, write))
  clearTimeout(late)
  return refused
}

export const LOAD_TRICKS: readonly Trick[] = [
  {
    name: 'have_many_forged_requests_proven_at_once',
    goal,
    patch: 'proofs-under-way-not-counted',
    async attempt(stage) {
      const work = new SlowWork()
      const deps = createSlowChecker(stage, work)
      const parts = { deps, rate: FEW, strangers: FEW }
      await useSecondServer(stage, parts, (second) => sendForgedTogether(stage, second))
      if (work.count > FEW.atOnce)
        stage.taken.push({ goal, detail: `${work.count} forged signatures were checked` })
    },
  },
  {
    name: 'have_requests_worked_on_whose_answers_nobody_reads',
    goal,
    patch: 'pipelined-requests-all-at-once',
    async attempt(stage) {
      const work = new SlowWork()
      const deps = createSlowChecker(stage, work)
      await useSecondServer(stage, { deps }, (second) => sendPipeline(stage, second))
      if (work.atOnce > 1)
        stage.taken.push({ goal, detail: `${work.atOnce} of one connection at once` })
    },
  },
  {
    name: 'have_large_requests_handled_all_at_once',
    goal,
    patch: 'large-requests-all-at-once',
    async attempt(stage) {
      const work = new SlowWork()
      const failpoints: Deps['failpoints'] = {
        reach: (point) => (point === 'dispatch.before_commit' ? work.take() : undefined),
      }
      await useSecondServer(stage, { deps: { failpoints } }, (second) =>
        proposeLarge(stage, second),
      )
      if (work.atOnce > 1) stage.taken.push({ goal, detail: `${work.atOnce} large ones at once` })
    },
  },
  {
    name: 'have_decisions_tried_all_at_once',
    goal,
    patch: 'trials-all-at-once',
    async attempt(stage) {
      const work = new SlowWork()
      const { store } = stage.engine.context
      const deps = changeStore(stage, {
        async listEntries(...asked) {
          await work.take()
          return store.listEntries(...asked)
        },
      })
      await useSecondServer(stage, { deps }, (second) => tryDecisions(stage, second))
      if (work.atOnce > 1) stage.taken.push({ goal, detail: `${work.atOnce} trials at once` })
    },
  },
  {
    name: 'ask_so_much_about_the_past_that_nobody_else_can',
    goal: 'anothers_flow',
    patch: 'past-questions-of-one-keep-others-out',
    async attempt(stage) {
      let held = Promise.resolve()
      const { store } = stage.engine.context
      const deps = changeStore(stage, {
        async countLeaves() {
          await held
          return store.countLeaves()
        },
      })
      await useSecondServer(stage, { deps }, async ({ url }) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        held = promise
        const status = await searchAll(stage, url, resolve)
        if (status !== 200)
          stage.taken.push({ goal: 'anothers_flow', detail: `a person is answered ${status}` })
      })
    },
  },
  {
    name: 'have_documents_wait_without_end',
    goal,
    patch: 'documents-wait-without-end',
    async attempt(stage) {
      const held = Promise.withResolvers<void>()
      const { tokenizer: load } = stage.engine.context
      const loadHeldTokenizer: Deps['tokenizer'] = async () => {
        await held.promise
        return load()
      }
      await useSecondServer(stage, { deps: { tokenizer: loadHeldTokenizer } }, async ({ as }) => {
        await stage.wire.getLiveSession(MALLORY)
        const refused = await countRefused(as, held.resolve)
        if (refused < DOCUMENTS - MAY_WAIT)
          stage.taken.push({ goal, detail: `${DOCUMENTS - refused} documents waited` })
      })
    },
  },
  {
    name: 'have_a_draft_judged_without_an_end',
    goal,
    patch: 'drafts-judged-where-decisions-are',
    async attempt(stage) {
      // An auditor's token is enough for it.
      const token = stage.wire.getToken('audit@example.com')
      await useSecondServer(stage, { draftMs: 1 }, async ({ url }) => {
        const body = { source: '}'.repeat(60_000) }
        const answer = await ask({ url, token }, 'POST', '/v1/contracts/check', { body })
        if (answer.status === 200)
          stage.taken.push({ goal, detail: 'a draft took the time of decisions' })
      })
    },
  },
  {
    name: 'spend_what_another_may_ask_with_its_token_alone',
    goal: 'anothers_flow',
    patch: 'charged-before-proof',
    async attempt(stage) {
      const token = await stage.wire.getLiveSession(VICTIM)
      await useSecondServer(stage, { rate: FEW }, async ({ url, as }) => {
        await as(VICTIM, 'GET', '/v1/flows')
        for (let i = 0; i < FEW.atOnce; i++) await ask({ url, token }, 'GET', '/v1/flows')
        const { status } = await as(VICTIM, 'GET', '/v1/flows')
        if (status !== 200)
          stage.taken.push({ goal: 'anothers_flow', detail: `the victim is answered ${status}` })
      })
    },
  },
  {
    name: 'go_on_while_the_operator_has_asked_too_much',
    goal: 'effect_outside_contract',
    patch: 'stops-wait-with-the-others',
    async attempt(stage) {
      const flow = await stage.open()
      if (flow === null) return
      const token = stage.wire.getToken(OPERATOR)
      await useSecondServer(stage, { rate: FEW }, async ({ url }) => {
        // A script of somebody's that looks all the time, with the operator's token.
        for (let i = 0; i < TOGETHER; i++) await ask({ url, token }, 'GET', '/v1/flows')
        const body = { to: 'SUSPENDED', justification: 'stop' }
        const headers = { 'idempotency-key': `stop-${flow.dfid}` }
        const path = `/v1/agents/${MALLORY}/transitions`
        await ask({ url, token }, 'POST', path, { body, headers })
      })
      stage.over.add(flow.dfid)
      const params = { instrument: 'ETH-USD', quantity: '1' }
      await stage.propose(flow, { policy_kind: 'BUY', params })
    },
  },
]
