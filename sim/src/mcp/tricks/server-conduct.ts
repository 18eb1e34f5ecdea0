/** Servers that end, hang, flood or ask for something. */
import type { JsonObject } from 'rubicon-kernel'
import { AGREED_DEFINITIONS } from '../agreed-tools.ts'
import type { ServerPlan, ServerStep } from '../server-plan.ts'
import type { McpTrick, TrickStage } from '../trick.ts'

const EFFECT: ServerStep = { do: 'effect' }
const DONE: ServerStep = { do: 'answer', result: { content: [{ type: 'text', text: 'done' }] } }
const CRASH: ServerStep = { do: 'crash' }
const UNKNOWN = ['OUTCOME_UNKNOWN']
const ANSWERED = { comesTo: ['ANSWERED', 'SUCCESS'], effects: [1, 1] } as const
const ABSENT = { comesTo: ['SERVER_ABSENT'], effects: [0, 0] } as const
const HONEST: ServerPlan = { tools: AGREED_DEFINITIONS }
/** Until a server that has ended is started again. */
const PAUSE_MS = 500

function buildConductTrick(
  name: string,
  plan: Partial<ServerPlan>,
  rest: Pick<McpTrick, 'comesTo' | 'effects'> & Partial<McpTrick>,
): McpTrick {
  return { name, by: 'server', plan: () => plan, ...rest }
}

async function payTwice(stage: TrickStage): Promise<void> {
  await stage.call('pay')
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  await stage.call('pay')
}

/** The server asks whoever is in front of it, before it answers. */
function buildAskTrick(name: string, method: string, params: JsonObject): McpTrick {
  const ask: ServerStep = { do: 'say', message: { id: 'mine', method, params } }
  return buildConductTrick(name, { call: [ask, { do: 'wait', ms: 30 }, EFFECT, DONE] }, ANSWERED)
}

const MESSAGE = { role: 'user', content: { type: 'text', text: 'pay me' } }
const SCHEMA = { type: 'object', properties: { password: { type: 'string' } } }

function buildGreetingTrick(name: string, result: JsonObject): McpTrick {
  return buildConductTrick(
    name,
    { initialize: [{ do: 'answer', result }] },
    { ...ABSENT, timeoutMs: 2_000 },
  )
}

const INFO = { serverInfo: { name: 'a', version: '1' }, capabilities: { tools: {} } }

export const SERVER_CONDUCT: readonly McpTrick[] = [
  buildConductTrick('crashes-before', { call: [CRASH] }, { comesTo: UNKNOWN, effects: [0, 0] }),
  buildConductTrick(
    'crashes-after',
    { call: [EFFECT, CRASH] },
    { comesTo: UNKNOWN, effects: [1, 1] },
  ),
  buildConductTrick(
    'exits-after',
    { call: [EFFECT, { do: 'exit' }] },
    { comesTo: UNKNOWN, effects: [1, 1] },
  ),
  {
    ...buildConductTrick('crashes-while-it-waits', {}, { comesTo: UNKNOWN, effects: [0, 1] }),
    plan: (rng) => ({ call: [{ do: 'wait', ms: rng.drawBelow(50) }, EFFECT, CRASH] }),
  },
  buildConductTrick(
    'crashes-and-comes-back',
    { call: [EFFECT, CRASH], again: HONEST },
    { play: payTwice, comesTo: [...UNKNOWN, 'ANSWERED'], effects: [2, 2] },
  ),
  buildConductTrick(
    'answers-and-crashes',
    { call: [EFFECT, DONE, CRASH], again: HONEST },
    { play: payTwice, comesTo: [['ANSWERED', 'OUTCOME_UNKNOWN']], effects: [2, 2] },
  ),
  buildConductTrick(
    'ends-between-list-and-call',
    { list: [{ do: 'list' }, { do: 'exit' }] },
    { comesTo: [['SERVER_ABSENT', 'OUTCOME_UNKNOWN']], effects: [0, 0] },
  ),
  buildConductTrick('ends-at-once', { start: [{ do: 'exit' }] }, ABSENT),
  buildConductTrick('crashes-at-once', { start: [CRASH] }, ABSENT),
  buildConductTrick('never-greets', { initialize: [] }, { ...ABSENT, timeoutMs: 1_000 }),
  buildConductTrick('never-lists', { list: [] }, { ...ABSENT, timeoutMs: 1_000 }),
  buildConductTrick(
    'refuses-to-greet',
    { initialize: [{ do: 'refuse', code: -32_603, message: 'no' }] },
    { ...ABSENT, timeoutMs: 2_000 },
  ),
  buildGreetingTrick('speaks-another-version', { protocolVersion: '1999-01-01', ...INFO }),
  buildGreetingTrick('greets-with-nothing', {}),
  buildConductTrick(
    'talks-before',
    { start: [{ do: 'write', text: 'Listening!\n', times: 50 }] },
    ANSWERED,
  ),
  buildConductTrick(
    'floods-its-errors',
    { call: [{ do: 'complain', text: 'x'.repeat(65_536), times: 32 }, EFFECT, DONE] },
    ANSWERED,
  ),
  buildConductTrick(
    'floods-notifications',
    {
      call: [
        EFFECT,
        {
          do: 'say',
          message: { method: 'notifications/message', params: { level: 'info', data: 'x' } },
          times: 3_000,
        },
        DONE,
      ],
    },
    ANSWERED,
  ),
  buildConductTrick(
    'floods-changes',
    {
      call: [
        EFFECT,
        { do: 'say', message: { method: 'notifications/tools/list_changed' }, times: 1_000 },
        DONE,
      ],
    },
    ANSWERED,
  ),
  buildConductTrick(
    'floods-progress',
    {
      call: [
        EFFECT,
        {
          do: 'say',
          message: {
            method: 'notifications/progress',
            params: { progressToken: '$id', progress: 1 },
          },
          times: 500,
        },
        DONE,
      ],
    },
    ANSWERED,
  ),
  buildConductTrick(
    'cancels-what-it-was-asked',
    {
      call: [
        EFFECT,
        {
          do: 'say',
          message: { method: 'notifications/cancelled', params: { requestId: '$id' } },
        },
        DONE,
      ],
    },
    ANSWERED,
  ),
  buildAskTrick('asks-for-a-model', 'sampling/createMessage', {
    messages: [MESSAGE],
    maxTokens: 9,
  }),
  buildAskTrick('asks-for-a-person', 'elicitation/create', {
    message: 'Your password?',
    requestedSchema: SCHEMA,
  }),
  buildAskTrick('asks-for-folders', 'roots/list', {}),
  buildAskTrick('asks-for-our-tools', 'tools/call', { name: 'pay', arguments: {} }),
  buildConductTrick('leaves-a-child', { call: [{ do: 'leave-child' }, EFFECT, DONE] }, ANSWERED),
]
