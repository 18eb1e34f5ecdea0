/**
 * Before the door, from one address that says it is many: whoever guesses must get slower. The second server
 * stands behind a proxy, and lets strangers try a few times.
 */

import { ask, type HttpAnswer } from '../../../../server/src/http/agent-auth/client.ts'
import { parseProxies } from '../../../../server/src/http/connections/proxies.ts'
import { useSecondServer } from '../second-server.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'unpaid_work'
const TRIES = 12
/** Nothing comes back while she tries. */
const FEW = { perSecond: 0, atOnce: 4 } as const
/** What the proxy saw. */
const HER_ADDRESS = '203.0.113.7'

function guess(url: string, forwarded: string): Promise<HttpAnswer> {
  const headers = { 'x-forwarded-for': forwarded }
  const body = { token: `guessed-${'x'.repeat(32)}` }
  return ask({ url }, 'POST', '/v1/session', { body, headers })
}

/** Each guess under another address; as many as are looked at. */
async function guessTokens(
  stage: Stage,
  from: readonly string[],
  forwarded: (made: string) => string,
): Promise<void> {
  const proxies = parseProxies({ hops: 1, from })
  if (!proxies.ok) throw new Error(proxies.error.summary)
  await useSecondServer(stage, { proxies: proxies.value, strangers: FEW }, async ({ url }) => {
    let looked = 0
    for (let i = 0; i < TRIES; i++) {
      const { status, body } = await guess(url, forwarded(`198.51.100.${i}`))
      stage.hear(body)
      if (status !== 429) looked += 1
    }
    if (looked > FEW.atOnce) stage.taken.push({ goal, detail: `${looked} guesses were looked at` })
  })
}

export const ADDRESS_TRICKS: readonly Trick[] = [
  {
    name: 'guess_tokens_under_addresses_of_her_own_making',
    goal,
    patch: 'clients-say-their-address',
    // The proxy adds to the right who came to it.
    attempt: (stage) => guessTokens(stage, ['127.0.0.1'], (made) => `${made}, ${HER_ADDRESS}`),
  },
  {
    name: 'guess_tokens_past_the_proxy',
    goal,
    patch: 'anybody-is-a-proxy',
    // She comes to the server itself, and writes what the proxy would.
    attempt: (stage) => guessTokens(stage, ['10.0.0.0/8'], (made) => made),
  },
]
