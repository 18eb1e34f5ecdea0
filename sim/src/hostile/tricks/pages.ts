/**
 * A page of hers in somebody's browser: it makes the browser ask, with its address and its cookies, and reads
 * nothing of what is answered.
 */
import { ask, type HttpAnswer } from '../../../../server/src/http/agent-auth/client.ts'
import { useSecondServer } from '../second-server.ts'
import type { Trick } from '../trick.ts'

const goal = 'anothers_flow'
const AUDITOR = 'audit@example.com'
/** Nothing comes back while she tries. */
const FEW = { perSecond: 0, atOnce: 4 } as const
const PICTURES = 6

function startSession(url: string, token: string): Promise<HttpAnswer> {
  return ask({ url }, 'POST', '/v1/session', { body: { token }, headers: { origin: url } })
}

export const PAGE_TRICKS: readonly Trick[] = [
  {
    name: 'keep_everybody_at_an_address_from_signing_in',
    goal,
    patch: 'lured-browsers-charged-as-sign-ins',
    async attempt(stage) {
      const token = stage.wire.getToken(AUDITOR)
      const headers = { 'sec-fetch-site': 'cross-site' }
      await useSecondServer(stage, { strangers: FEW }, async ({ url }) => {
        for (let i = 0; i < PICTURES; i++)
          await ask({ url }, 'GET', '/v1/sign-in/oidc', { headers })
        const { status } = await startSession(url, token)
        if (status !== 201) stage.taken.push({ goal, detail: `signing in is answered ${status}` })
      })
    },
  },
  {
    name: 'spend_what_somebody_may_ask_from_her_page',
    goal,
    patch: 'forged-reads-charged-to-people',
    async attempt(stage) {
      const token = stage.wire.getToken(AUDITOR)
      await useSecondServer(stage, { rate: FEW }, async ({ url }) => {
        const { headers: said } = await startSession(url, token)
        const cookie = said.getSetCookie()[0]?.split(';')[0] ?? ''
        // Of another port or another name of the same site, so that the cookie goes along.
        const headers = { cookie, 'sec-fetch-site': 'same-site' }
        for (let i = 0; i < PICTURES; i++) await ask({ url }, 'GET', '/v1/agents', { headers })
        const { status } = await ask({ url }, 'GET', '/v1/agents', { headers: { cookie } })
        if (status !== 200) stage.taken.push({ goal, detail: `a person is answered ${status}` })
      })
    },
  },
]
