/** Timers that an agent sets for itself: each opens a flow of its own, once or again and again. */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import type { FlowTimer, TimerRequest } from 'rubicon-runtime/engine/flow'
import { refuseOtherAgent } from '../agent-auth/own-agent.ts'
import { pickSession } from '../agent-auth/session-of.ts'
import { toProblemReply } from '../problems/problem.ts'
import { type Route, toReply } from '../schemas/route.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildClosedObject,
  buildEnum,
  buildWholeObject,
  instant,
  integer,
  listOf,
  moment,
  nameSchema,
  string,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'

const members = {
  name: string,
  at: moment,
  agent_id: string,
  steps: buildEnum('one', 'many'),
  every_ms: allowNull(integer),
}

const timer = nameSchema(
  'Timer',
  buildWholeObject<Omit<FlowTimer, 'event'>>({
    ...members,
    trigger: string,
    state: buildArray(string),
  }),
)

/** Without words of the agent: it is kept for whoever asks again, and names no flow by which an erasure would find it. */
const timerSet = nameSchema('TimerSet', buildWholeObject<TimerSet>(members))

const setting = buildClosedObject(
  {
    trigger: text(LIMITS.triggerLength),
    /** When it fires first; without it, after `every_ms`. */
    at: instant,
    every_ms: { ...integer, minimum: LIMITS.agentTimerLeastMs, maximum: LIMITS.timerMostMs },
    state: listOf(text(256), LIMITS.contextStatePaths),
    steps: buildEnum('one', 'many'),
  },
  ['trigger'],
)

type TimerSet = Omit<FlowTimer, 'event' | 'trigger' | 'state'>

type Setting = Omit<TimerRequest, 'agent' | 'name'>

const PATH = '/v1/agents/:id/timers'

export function createTimerRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: PATH,
      operation: 'listTimers',
      summary: 'the timers that an agent has set for itself, by name',
      roles: ['operator', 'auditor', 'agent'],
      reply: buildWholeObject({ timers: buildArray(timer) }),
      async handle({ principal, params: { id = '' } }) {
        const foreign = refuseOtherAgent(principal, id)
        if (foreign !== null) return foreign
        const timers = await engine.timers.own(id, pickSession(principal))
        return timers.ok ? toReply({ timers: timers.value }) : toProblemReply(timers.error)
      },
    },
    {
      method: 'PUT',
      path: `${PATH}/:name`,
      operation: 'setTimer',
      summary: 'a timer that opens a flow of the agent; one of the same name is replaced',
      roles: ['agent'],
      body: setting,
      once: true,
      reply: timerSet,
      async handle({ principal, params: { id = '', name = '' }, body }) {
        const foreign = refuseOtherAgent(principal, id)
        if (foreign !== null) return foreign
        const request = { ...parseSetting(body), agent: id, name }
        const set = await engine.timers.setOwn(request, pickSession(principal))
        return set.ok ? toReply(describeSet(set.value, name)) : toProblemReply(set.error)
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/:name`,
      operation: 'dropTimer',
      summary: 'delete a timer',
      roles: ['operator', 'agent'],
      reply: buildWholeObject({ name: string, dropped: boolean }),
      async handle({ principal, params: { id = '', name = '' } }) {
        const foreign = refuseOtherAgent(principal, id)
        if (foreign !== null) return foreign
        const dropped = await engine.timers.dropOwn(id, name, pickSession(principal))
        return dropped.ok ? toReply({ name, dropped: true }) : toProblemReply(dropped.error)
      },
    },
  ]
}

function describeSet({ at, agent_id, steps, every_ms }: FlowTimer, name: string): TimerSet {
  return { name, at, agent_id, steps, every_ms }
}

function parseSetting(body: JsonValue): Setting {
  return body as unknown as Setting
}
