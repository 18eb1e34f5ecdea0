/** Who is told of what strangers try: a log and an alarm, and no more of it than they can hold. */
import {
  createObservability,
  type Observability,
} from '../../../../runtime/src/adapters/telemetry/observability.ts'
import { ask } from '../../../../server/src/http/agent-auth/client.ts'
import { parseProxies } from '../../../../server/src/http/connections/proxies.ts'
import { useSecondServer } from '../second-server.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'unpaid_work'
const AUDITOR = 'audit@example.com'
const TRIES = 6
const FAILED = 'rubicon_sign_ins_failed_total{type="token"}'

type Watched = {
  /** She guesses a token, from an address that she says. */
  readonly guess: (from: string) => Promise<void>
  /** What an alarm is told, as lines. */
  readonly fetchMetrics: () => Promise<readonly string[]>
}

/** A server that is measured, behind a proxy. */
async function useWatchedServer(
  stage: Stage,
  work: (watched: Watched) => Promise<void>,
): Promise<void> {
  const heard: Observability = await createObservability({ clock: stage.clock, log: () => {} })
  const metrics = { contentType: 'text/plain', render: () => heard.metrics([]) }
  const proxies = parseProxies({ hops: 1 })
  if (!proxies.ok) throw new Error(proxies.error.summary)
  const parts = { metrics, proxies: proxies.value, deps: { telemetry: heard.telemetry } }
  try {
    await useSecondServer(stage, parts, ({ url }) =>
      work({
        async guess(from) {
          const headers = { 'x-forwarded-for': from }
          const body = { token: `guessed-${'x'.repeat(32)}` }
          await ask({ url }, 'POST', '/v1/session', { body, headers })
        },
        async fetchMetrics() {
          const token = stage.wire.getToken(AUDITOR)
          return String((await ask({ url, token }, 'GET', '/metrics')).body).split('\n')
        },
      }),
    )
  } finally {
    await heard.close()
  }
}

function findFailedCount(lines: readonly string[]): string | undefined {
  return lines
    .find((line) => line.startsWith(FAILED))
    ?.slice(FAILED.length)
    .trim()
}

export const TELLING_TRICKS: readonly Trick[] = [
  {
    name: 'guess_tokens_without_being_seen',
    goal,
    patch: 'refusals-untold',
    attempt: (stage) =>
      useWatchedServer(stage, async ({ guess, fetchMetrics }) => {
        for (let i = 0; i < TRIES; i++) await guess('198.51.100.7')
        const count = Number(findFailedCount(await fetchMetrics()) ?? 0)
        if (count < TRIES) stage.taken.push({ goal, detail: `${count} of ${TRIES} were counted` })
      }),
  },
  {
    name: 'guess_once_before_an_alarm_can_rise',
    goal,
    patch: 'counters-begin-with-their-first',
    attempt: (stage) =>
      useWatchedServer(stage, async ({ guess, fetchMetrics }) => {
        const before = findFailedCount(await fetchMetrics())
        await guess('198.51.100.7')
        if (before === undefined)
          stage.taken.push({ goal, detail: 'the first failure is none to an alarm' })
      }),
  },
  {
    name: 'fill_the_metrics_with_addresses',
    goal: 'unbounded_record',
    patch: 'refusals-counted-by-address',
    attempt: (stage) =>
      useWatchedServer(stage, async ({ guess, fetchMetrics }) => {
        await guess('198.51.100.250')
        const before = (await fetchMetrics()).length
        for (let i = 0; i < TRIES; i++) await guess(`198.51.100.${i}`)
        const more = (await fetchMetrics()).length - before
        if (more >= TRIES) stage.taken.push({ goal: 'unbounded_record', detail: `${more} series` })
      }),
  },
]
