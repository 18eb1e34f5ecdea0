/** What one holds: places for connections, downloads and bundles, and the thread while large texts are read. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { LIMITS } from 'rubicon-kernel'
import { ask, type HttpAnswer } from '../../../../server/src/http/agent-auth/client.ts'
import type { People } from '../../../../server/src/people/people.ts'
import { changeStore } from '../changed-store.ts'
import { type SecondServer, useSecondServer } from '../second-server.ts'
import { SlowWork } from '../slow-work.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const AUDITOR = 'audit@example.com'
const OPERATOR = 'opal@example.com'
/** More than the system takes of an answer that nobody reads. */
const LONG_ANSWER = 32_000_000
const DOWNLOADS = LIMITS.downloads + 4
/** A few more than are made or wait. */
const BUNDLES = LIMITS.pastQuestions + LIMITS.pastQuestionsWaitingEach + 4
const LARGE_TRIALS = 6
const TOO_MANY = 429
/** In so many a server has heard that somebody hung up, or asks. */
const TURNS = 5

/** A request of a person on a connection of its own, whose answer nobody reads. */
function sendUnread(stage: Stage, url: string, path: string): Socket {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  const authorization = `Bearer ${stage.wire.getToken(AUDITOR)}`
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\n\r\n`)
  return socket
}

function askAsPerson(stage: Stage, url: string, name: string, path: string): Promise<HttpAnswer> {
  return ask({ url, token: stage.wire.getToken(name) }, 'GET', path)
}

/** What has arrived at the server by now is begun. */
async function takeTurns(url: string): Promise<void> {
  for (let i = 0; i < TURNS; i++) await ask({ url }, 'GET', '/healthz')
}

/** Downloads of hers of which none ends, and then one of somebody else; what that is answered. */
async function downloadAll(stage: Stage): Promise<number> {
  const { engine, wire } = stage
  const { store } = engine.context
  const { people } = wire
  const free = Promise.withResolvers<void>()
  const full = Promise.withResolvers<void>()
  const come = Promise.withResolvers<void>()
  let [isHeld, refused] = [false, 0]
  const deps = changeStore(stage, {
    async listLeaves(...asked) {
      if (isHeld) await free.promise
      return store.listLeaves(...asked)
    },
  })
  const find: People['find'] = (token) => {
    if (refused > 0 && token === wire.getToken(OPERATOR)) come.resolve()
    return people.find(token)
  }
  let status = 0
  await useSecondServer(stage, { deps, people: { ...people, find } }, async ({ url }) => {
    const path = '/v1/ledger/export?from=0&limit=1'
    // What a checkpoint needs is read by then.
    await askAsPerson(stage, url, OPERATOR, path)
    isHeld = true
    const hers = Array.from({ length: DOWNLOADS }, async () => {
      if ((await askAsPerson(stage, url, AUDITOR, path)).status === 200) return
      refused += 1
      if (refused >= DOWNLOADS - LIMITS.downloads) full.resolve()
    })
    // She has all that she is given by now, and keeps it.
    await full.promise
    const other = askAsPerson(stage, url, OPERATOR, path)
    await come.promise
    await takeTurns(url)
    free.resolve()
    status = (await other).status
    await Promise.all(hers)
  })
  return status
}

/** Bundles of hers of which none ends, until some are refused or too many are made; how many at once. */
async function countBundlesAtOnce(stage: Stage): Promise<number> {
  const { store } = stage.engine.context
  const full = Promise.withResolvers<void>()
  let [isHeld, made, refused] = [false, 0, 0]
  const deps = changeStore(stage, {
    async listFlowEntries(...asked) {
      if (!isHeld) return store.listFlowEntries(...asked)
      made += 1
      if (made > LIMITS.pastQuestions) full.resolve()
      await full.promise
      return store.listFlowEntries(...asked)
    },
  })
  let atOnce = 0
  await useSecondServer(stage, { deps }, async ({ url }) => {
    const path = `/v1/bundles/${stage.victims.dfid}`
    await askAsPerson(stage, url, OPERATOR, path)
    isHeld = true
    const hers = Array.from({ length: BUNDLES }, async () => {
      if ((await askAsPerson(stage, url, AUDITOR, path)).status === 200) return
      refused += 1
      if (refused >= BUNDLES - LIMITS.pastQuestions - LIMITS.pastQuestionsWaitingEach)
        full.resolve()
    })
    await full.promise
    atOnce = made
    await Promise.all(hers)
  })
  return atOnce
}

/** She hangs up when the first proof of a bundle is made; whether the last part of it is read all the same. */
async function isBundleMadeForNobody(stage: Stage): Promise<boolean> {
  const { store } = stage.engine.context
  const begun = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  let [isHeld, isGone, isWhole] = [false, false, false]
  const deps = changeStore(stage, {
    async listLeafIds(...asked) {
      if (isHeld) begun.resolve()
      if (isHeld) await free.promise
      return store.listLeafIds(...asked)
    },
    async listEntries(...asked) {
      if (isGone) isWhole = true
      return store.listEntries(...asked)
    },
  })
  await useSecondServer(stage, { deps, underWay: 1 }, async ({ url }) => {
    isHeld = true
    const socket = sendUnread(stage, url, `/v1/bundles/${stage.victims.dfid}`)
    await begun.promise
    socket.resetAndDestroy()
    await takeTurns(url)
    isGone = true
    free.resolve()
    // She has one place: while the bundle is made it is taken. For this one nothing is read.
    while ((await askAsPerson(stage, url, AUDITOR, '/metrics')).status === TOO_MANY);
  })
  return isWhole
}

/** Large texts to be tried, of one person in a browser: what is looked up of a session is looked up in line. */
async function tryLargeTexts(stage: Stage, { url }: SecondServer): Promise<void> {
  const token = stage.wire.getToken(AUDITOR)
  const origin = { origin: url }
  const signedIn = await ask({ url }, 'POST', '/v1/session', { body: { token }, headers: origin })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const headers = { ...origin, cookie, 'rubicon-csrf': String(signedIn.body.csrf) }
  const body = { source: 'x'.repeat(LIMITS.largeRequestBytes) }
  const send = (): Promise<HttpAnswer> =>
    ask({ url }, 'POST', '/v1/contracts/check', { body, headers })
  await Promise.all(Array.from({ length: LARGE_TRIALS }, send))
}

/** At the door all of them are looked up together: who comes after the last of those is being read. */
async function countReadAtOnce(stage: Stage): Promise<number> {
  const { store } = stage.engine.context
  const work = new SlowWork()
  const entered = Promise.withResolvers<void>()
  let looks = 0
  const deps = changeStore(stage, {
    async readRecord(...asked) {
      if (asked[0] === 'person_session') {
        looks += 1
        if (looks === LARGE_TRIALS) entered.resolve()
        await (looks <= LARGE_TRIALS ? entered.promise : work.take())
      }
      return store.readRecord(...asked)
    },
  })
  await useSecondServer(stage, { deps }, (second) => tryLargeTexts(stage, second))
  return work.atOnce
}

export const HOLDING_TRICKS: readonly Trick[] = [
  {
    name: 'keep_everybody_out_with_an_answer_that_nobody_reads',
    goal: 'anothers_flow',
    patch: 'untaken-answers-keep-their-place',
    async attempt(stage) {
      const render = async (): Promise<string> => 'x'.repeat(LONG_ANSWER)
      const metrics = { contentType: 'text/plain', render }
      await useSecondServer(stage, { connections: 1, metrics }, async ({ url }) => {
        const socket = sendUnread(stage, url, '/metrics')
        await once(socket, 'readable')
        const other = askAsPerson(stage, url, OPERATOR, '/v1/flows')
        const status = await other.then((answer) => answer.status).catch(() => null)
        socket.destroy()
        if (status !== 200)
          stage.taken.push({ goal: 'anothers_flow', detail: `a person is answered ${status}` })
      })
    },
  },
  {
    name: 'hold_every_download',
    goal: 'anothers_flow',
    patch: 'downloads-of-one-keep-others-out',
    async attempt(stage) {
      const status = await downloadAll(stage)
      if (status !== 200)
        stage.taken.push({ goal: 'anothers_flow', detail: `a download is answered ${status}` })
    },
  },
  {
    name: 'have_bundles_made_all_at_once',
    goal: 'unpaid_work',
    patch: 'bundles-all-at-once',
    async attempt(stage) {
      const count = await countBundlesAtOnce(stage)
      if (count > LIMITS.pastQuestions)
        stage.taken.push({ goal: 'unpaid_work', detail: `${count} bundles at once` })
    },
  },
  {
    name: 'have_a_bundle_made_and_hang_up',
    goal: 'unpaid_work',
    patch: 'bundles-in-one-go',
    async attempt(stage) {
      if (await isBundleMadeForNobody(stage))
        stage.taken.push({ goal: 'unpaid_work', detail: 'a bundle was made for nobody' })
    },
  },
  {
    name: 'have_large_trials_read_all_at_once',
    goal: 'unpaid_work',
    patch: 'large-drafts-read-at-once',
    async attempt(stage) {
      const count = await countReadAtOnce(stage)
      if (count > 1) stage.taken.push({ goal: 'unpaid_work', detail: `${count} read at once` })
    },
  },
]
