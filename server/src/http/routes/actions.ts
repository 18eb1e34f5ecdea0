/** One act: a flow is opened and decided in with one request. */
import { assert, LIMITS } from 'rubicon-kernel'
import type { ActOptions, ActRequest } from 'rubicon-runtime/engine/decide'
import type { CallNames } from 'rubicon-runtime/engine/flow'
import { pickSession } from '../agent-auth/session-of.ts'
import { toProblemReply } from '../problems/problem.ts'
import { answer } from '../schemas/answer.ts'
import { buildActionSchema } from '../schemas/policy-schema.ts'
import type { Route, RouteRequest } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import {
  buildClosedObject,
  buildEnum,
  identifier,
  instant,
  listOf,
  string,
  text,
} from '../schemas/shape.ts'
import { answerReply } from '../views/answer-reply.ts'
import { REPLAYED } from '../views/replayed.ts'

const seen = listOf(
  buildClosedObject({ path: identifier, value: {}, version: string, observed_at: instant }, [
    'path',
    'observed_at',
  ]),
  LIMITS.contextStatePaths,
)

const name = { type: 'string', maxLength: LIMITS.noteLength } as const

/** What a call is known by: asked for again under the same, it is not done again. */
const once = buildClosedObject({
  call: buildClosedObject({ conversation: name, id: name }, ['conversation', 'id']),
  key: name,
})

const action = buildActionSchema({
  agent: identifier,
  trigger: text(LIMITS.noteLength),
  steps: buildEnum('one', 'many'),
  trajectory: identifier,
  seen,
  once,
  conversation: identifier,
  // Refused by the engine, which says why.
  dfid: {},
})

export function createActionRoutes({ engine }: RouteParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/actions',
      operation: 'act',
      summary: 'open a flow and propose in it, in one step; every verdict is answered with 200',
      roles: ['agent'],
      query: buildClosedObject({
        wait_ms: { type: 'string', pattern: '^[0-9]{1,5}$' },
        wait: buildEnum('settled', 'dispatched'),
      }),
      body: action,
      once: 'claims',
      reply: answer,
      async handle(asked) {
        const { principal, query, claim } = asked
        assert(claim !== undefined, 'a route that claims its key is handed the claim')
        const waitMs = Math.min(LIMITS.waitMs, Number(query.wait_ms ?? LIMITS.waitMs))
        const { once: names, ...request } = parseAction(asked)
        const options: ActOptions = {
          ...pickSession(principal),
          ...(query.wait === 'dispatched' ? { wait: 'dispatched' } : { waitMs }),
          beside: claim.buildFlowClaim,
        }
        const acted =
          names === undefined
            ? await engine.act(request, options)
            : await engine.calls.act(request, names, options, asked.came)
        if (!acted.ok) return toProblemReply(acted.error)
        const reply = answerReply(acted.value.answer)
        const isRepeated = 'repeated' in acted.value && acted.value.repeated
        return isRepeated ? { ...reply, headers: { ...reply.headers, ...REPLAYED } } : reply
      },
      async replay({ principal }, dfid) {
        const found = await engine.calls.readAnswer(dfid, pickSession(principal))
        return found.ok ? answerReply(found.value) : toProblemReply(found.error)
      },
    },
  ]
}

type AskedAction = ActRequest & { readonly once?: CallNames }

/** The agent of the session, unless the body names another; the engine refuses that one. */
function parseAction({ principal, body }: RouteRequest): AskedAction {
  const agent = principal.kind === 'agent' ? { agent: principal.agent_id } : {}
  return { ...agent, ...(body as object) } as AskedAction
}
