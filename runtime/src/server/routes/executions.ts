/** Effects on the outside, and the word of a person where nobody else knows what became of one. */
import { type ExecutionStatus, type JsonValue, LIMITS } from 'rubicon-kernel'
import type { Resolution } from '../../engine/saga/resolve.ts'
import { nameOf, type Principal } from '../principal.ts'
import { refused } from '../problem.ts'
import { done, type Route } from '../route.ts'
import type { ServerParts } from '../server.ts'
import { closed, identifier, limit, limitOf, text, words } from './shape.ts'

const resolution = closed(
  {
    outcome: words('applied', 'not_applied', 'abandon'),
    evidence: { type: 'object' },
    justification: text(LIMITS.json.bytes),
    effect: closed({ result: {}, delta: { type: 'array' }, receipt: {} }),
  },
  ['outcome', 'evidence', 'justification'],
)

const STATUSES: readonly ExecutionStatus[] = [
  'MANUAL_REVIEW',
  'UNKNOWN',
  'NOT_APPLIED',
  'ACCEPTED',
  'DISPATCHED',
  'FAILED',
  'ABANDONED',
  'SUCCESS',
]

export function executionRoutes({ engine }: ServerParts): readonly Route[] {
  const { store } = engine.context
  return [
    {
      method: 'GET',
      path: '/v1/executions',
      summary: 'effects and what became of them',
      roles: ['operator', 'approver', 'auditor'],
      query: closed({ status: words(...STATUSES), dfid: identifier, limit }),
      async handle({ query }) {
        const status = STATUSES.filter((known) => known === query.status)
        const executions = await store.executions({
          limit: limitOf(query),
          ...(status.length === 0 ? {} : { status }),
          ...(query.dfid === undefined ? {} : { dfid: query.dfid }),
        })
        return done({ executions })
      },
    },
    {
      method: 'POST',
      path: '/v1/executions/:id/resolution',
      summary: 'settle an effect under review, with evidence; `id` is `DFID:STEP`',
      roles: ['operator'],
      body: resolution,
      once: true,
      async handle({ principal, params, body }) {
        const [dfid, step] = parseId(params.id ?? '')
        const resolved = await engine.oversight.resolveExecution(
          dfid,
          step,
          parseWord(principal, body),
        )
        return resolved.ok ? done(resolved.value) : refused(resolved.error)
      },
    },
    {
      method: 'POST',
      path: '/v1/flows/:dfid/resolution',
      summary: 'a dirty flow that was put right by hand, or is left as it is',
      roles: ['operator'],
      body: resolution,
      once: true,
      async handle({ principal, params, body }) {
        const dfid = params.dfid ?? ''
        const resolved = await engine.oversight.resolveDirty(dfid, parseWord(principal, body))
        return resolved.ok ? done({ dfid, standing: resolved.value }) : refused(resolved.error)
      },
    },
  ]
}

/** A step may have colons in its name; a dfid has none. */
function parseId(id: string): readonly [dfid: string, step: string] {
  const colon = id.indexOf(':')
  return colon < 0 ? [id, ''] : [id.slice(0, colon), id.slice(colon + 1)]
}

/** Whose word it is comes from the token. */
function parseWord(principal: Principal, body: JsonValue): Resolution {
  const by = principal.kind === 'person' ? principal.name : nameOf(principal)
  return { ...(body as object), by } as Resolution
}
