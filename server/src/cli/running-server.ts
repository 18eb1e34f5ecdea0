/**
 * The server that runs on the store of a verb, found by its announcement in the state directory and asked over its Unix
 * socket: whoever can open that is the local operator.
 *
 * R1 a socket at which nobody listens is passed over: its server has crashed. The store itself then says whether
 *    somebody holds it.
 * R2 a server that takes the connection and does not answer is a failure, and not passed over: it holds the store.
 */
import { resolve } from 'node:path'
import type { ClientOptions } from 'rubicon-agents'
import { createClient } from 'rubicon-agents/client'
import { normaliseStorePlace, resolveStateDirectory } from 'rubicon-runtime/compose'
import { type Announcement, listAnnouncements } from '../local-socket/announcement.ts'
import { createSocketFetch, isListening } from '../local-socket/socket-fetch.ts'
import { getSocketUser } from '../local-socket/socket-path.ts'
import { formatOperatorHeader } from '../people/local-operator.ts'
import type { StorePlace } from './call.ts'
import { CliFailure } from './failure.ts'
import { toProblemFailure } from './server-answer.ts'

/** Any that the server takes for its own. */
const ADDRESS = 'http://localhost'
/** It is on this machine, and has nothing to look up to say who asks. */
const ANSWER_MS = 10_000

/** The one that started last; null: none runs, or it has no socket. */
export async function findRunningServer(
  place: StorePlace,
  answerMs: number = ANSWER_MS,
): Promise<Announcement | null> {
  const user = getSocketUser()
  if (user === null) return null
  const state = resolve(place.state ?? resolveStateDirectory(place.store))
  const store = normaliseStorePlace(place.store)
  for (const one of listAnnouncements(state, user)) {
    if (one.store !== store || one.tenant !== place.tenant) continue
    if (!(await isListening(one.socket))) continue
    await assertAnswering(one, answerMs)
    return one
  }
  return null
}

/** `by`: whose word it is, on the word of whoever asks. */
export function createRunningOptions(
  { socket, tenant }: Announcement,
  by: string | undefined,
): ClientOptions {
  const headers = { ...formatOperatorHeader(by), 'rubicon-tenant': tenant }
  return { url: ADDRESS, fetch: createSocketFetch(socket), headers: () => headers }
}

async function assertAnswering(running: Announcement, answerMs: number): Promise<void> {
  const client = createClient(createRunningOptions(running, undefined))
  const answer = await client.getSession({ signal: AbortSignal.timeout(answerMs) })
  if (answer.ok) return
  const { code, fix, ...said } = toProblemFailure(answer.problem)
  throw new CliFailure({
    ...said,
    code,
    summary: `the server that runs on this store (process ${running.pid}) does not answer: ${said.summary}`,
    fix: fix ?? `look at process ${running.pid}; stop it if it hangs`,
  })
}
