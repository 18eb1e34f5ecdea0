/** One agent: what is known of it, and its moves. Who may make which is the engine's to say. */
import {
  type AgentStatus,
  AUTHORITY,
  findShownContract,
  type JsonValue,
  LIMITS,
} from 'rubicon-kernel'
import { describeContract, formatContract } from 'rubicon-runtime/contract-file'
import type { Engine } from 'rubicon-runtime/engine'
import { explainParentPassedOver, loadAgentDetail } from 'rubicon-runtime/engine/authority'
import { createUnknownSpeakerFailure, isNobodys } from '../../people/person-asking.ts'
import { type Principal, toSignedBy } from '../../people/principal.ts'
import { toProblemReply } from '../problems/problem.ts'
import { refuseSchemaMismatch } from '../problems/schema-problem.ts'
import { agentMoved, agentDetail as detailSchema } from '../schemas/agent-detail.ts'
import { type Reply, type Route, toReply } from '../schemas/route.ts'
import { boolean, buildClosedObject, buildEnum, text } from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

const transition = buildClosedObject(
  {
    to: buildEnum('ACTIVE', 'SUSPENDED', 'RETIRED'),
    justification: text(LIMITS.justificationLength),
    /** With SUSPENDED: its contract ends too, in the same unit. */
    revoke: boolean,
  },
  ['to', 'justification'],
)

type Transition = {
  readonly to: AgentStatus
  readonly justification: string
  readonly revoke?: boolean
}

export function createAgentDetailRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/agents/:id',
      operation: 'getAgent',
      summary: 'an agent: its state and why, contract, budgets, verdicts of a day, what is wrong',
      roles: ['operator', 'approver', 'auditor'],
      reply: detailSchema,
      async handle({ params }) {
        const found = await loadAgentDetail(engine.context, params.id ?? '')
        if (found === null) return refuseUnknownAgent(params.id ?? '')
        const authority = await engine.context.authorities.loadLatest()
        const { now } = await engine.context.store.readNow(AUTHORITY)
        const contract = findShownContract(authority, found.agent_id, now)?.contract
        return toReply({
          ...found,
          sentences: contract === undefined ? [] : describeContract(contract),
          source: contract === undefined ? null : formatContract(contract),
          parent_passed_over:
            contract === undefined ? null : explainParentPassedOver(authority, contract, now),
        })
      },
    },
    {
      method: 'POST',
      path: '/v1/agents/:id/transitions',
      operation: 'moveAgent',
      summary: 'suspend, reactivate or retire an agent; an agent may only ask to retire itself',
      unlinked: true,
      stops: true,
      roles: ['operator', 'agent'],
      body: transition,
      once: true,
      reply: agentMoved,
      handle: ({ principal, params, body }) =>
        move(engine, principal, params.id ?? '', parseTransition(body)),
    },
  ]
}

async function move(
  engine: Engine,
  principal: Principal,
  agent_id: string,
  { to, justification, revoke = false }: Transition,
): Promise<Reply> {
  const { statuses } = await engine.context.authorities.loadLatest()
  const from = statuses.get(agent_id)
  if (principal.kind === 'agent' && principal.agent_id !== agent_id)
    return refuseForeignAgent(agent_id)
  if (from === undefined) return refuseUnknownAgent(agent_id)
  // Whoever stops an agent need not be known; to let it go on, or to end it for good, is somebody's word.
  const isStop = to === 'SUSPENDED' && !revoke
  if (!isStop && (await isNobodys(engine, { method: 'POST' }, principal)))
    return toProblemReply(createUnknownSpeakerFailure(principal))
  if (revoke && (to !== 'SUSPENDED' || principal.kind !== 'person'))
    return refuseSchemaMismatch('body', [
      { path: '/revoke', detail: 'it goes with SUSPENDED, by an operator' },
    ])
  const actor = principal.kind === 'person' ? 'operator' : 'agent'
  const killed =
    revoke && principal.kind === 'person'
      ? await engine.kill(agent_id, justification, toSignedBy(principal).by)
      : null
  const moved =
    killed ??
    (await engine.moveAgent({ agent_id, to, actor, justification, ...toSignedBy(principal) }))
  if (!moved.ok) return toProblemReply(moved.error)
  const seq = killed?.ok === true ? { seq: killed.value.seq } : {}
  return toReply({ agent_id, from, to, justification, ...seq })
}

function parseTransition(body: JsonValue): Transition {
  return body as unknown as Transition
}

export function refuseUnknownAgent(agent: string): Reply {
  return toProblemReply({ code: 'AGENT_UNKNOWN', summary: `there is no agent \`${agent}\`` }, 404)
}

function refuseForeignAgent(agent: string): Reply {
  return toProblemReply({
    code: 'IDENTITY_MISMATCH',
    summary: `\`${agent}\` is another agent`,
    fix: 'an agent may only end itself',
  })
}
