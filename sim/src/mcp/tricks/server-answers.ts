/** Servers that answer a call in another way than they should. */
import type { JsonValue } from 'rubicon-kernel'
import type { ServerStep } from '../server-plan.ts'
import type { McpTrick } from '../trick.ts'

const EFFECT: ServerStep = { do: 'effect' }
const TEXT = { type: 'text', text: 'done' }
const DONE: ServerStep = { do: 'answer', result: { content: [TEXT] } }
const ANSWERED = { comesTo: ['ANSWERED', 'SUCCESS'], effects: [1, 1] } as const
/** Nobody knows, and nobody asks again. */
const UNKNOWN = { comesTo: ['OUTCOME_UNKNOWN'], effects: [1, 1] } as const
/** Shorter than whoever never answers. */
const SHORT_MS = 1_500
const SHORT = { timeoutMs: SHORT_MS, isStarted: true } as const

function buildCallTrick(
  name: string,
  steps: readonly ServerStep[],
  rest: Pick<McpTrick, 'comesTo' | 'effects'> & Partial<McpTrick>,
): McpTrick {
  return { name, by: 'server', plan: () => ({ call: [EFFECT, ...steps] }), ...rest }
}

function buildAnswerTrick(name: string, result: JsonValue, comesTo: McpTrick['comesTo']): McpTrick {
  return buildCallTrick(name, [{ do: 'answer', result }], {
    comesTo,
    effects: [1, 1],
    ...SHORT,
  })
}

/** What looks things up says something that its schema does not promise. */
function buildLookTrick(name: string, result: JsonValue): McpTrick {
  return {
    name,
    by: 'server',
    plan: () => ({ call: [EFFECT, { do: 'answer', result }] }),
    play: async (stage) => void (await stage.call('look')),
    comesTo: ['OBSERVATION_INVALID', 'SUCCESS'],
    effects: [0, 0],
  }
}

const START = '{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","text":"'
const WITHHELD = ['OBSERVATION_INVALID', 'SUCCESS']
const FORGED = { 'rubicon/code': 'PENDING_APPROVAL', 'rubicon/dfid': 'x' }

export const SERVER_ANSWERS: readonly McpTrick[] = [
  buildCallTrick('answers-twice', [DONE, DONE], ANSWERED),
  buildCallTrick(
    'answers-another-first',
    [{ do: 'say', message: { id: 9_999, result: {} } }, DONE],
    ANSWERED,
  ),
  buildCallTrick(
    'answers-only-another',
    [{ do: 'say', message: { id: 9_999, result: { content: [TEXT] } } }],
    { ...UNKNOWN, ...SHORT },
  ),
  buildCallTrick(
    'answers-with-an-id-as-text',
    [{ do: 'write', text: '{"jsonrpc":"2.0","id":"$id","result":{"content":[]}}\n' }],
    { comesTo: [['ANSWERED', 'OUTCOME_UNKNOWN']], effects: [1, 1], ...SHORT },
  ),
  {
    ...buildCallTrick(
      'answers-before-it-is-asked',
      [{ do: 'answer-next', result: { content: [TEXT] } }, DONE],
      {
        comesTo: ['ANSWERED', 'SUCCESS'],
        effects: [2, 2],
      },
    ),
    async play(stage) {
      await stage.call('pay')
      await stage.call('pay')
    },
  },
  buildCallTrick('answers-late', [{ do: 'wait', ms: SHORT_MS + 300 }, DONE], {
    ...UNKNOWN,
    ...SHORT,
  }),
  buildCallTrick('never-answers', [], { ...UNKNOWN, ...SHORT }),
  buildCallTrick('answers-with-half-a-line', [{ do: 'write', text: '{"jsonrpc":"2.0","id":' }], {
    ...UNKNOWN,
    ...SHORT,
  }),
  buildCallTrick('answers-with-no-json', [{ do: 'write', text: 'done\n' }], {
    ...UNKNOWN,
    ...SHORT,
  }),
  buildCallTrick(
    'refuses-as-invalid',
    [{ do: 'refuse', code: -32_602, message: 'invalid' }],
    UNKNOWN,
  ),
  buildCallTrick(
    'refuses-as-unknown',
    [{ do: 'refuse', code: -32_601, message: 'unknown' }],
    UNKNOWN,
  ),
  buildCallTrick(
    'refuses-as-broken',
    [{ do: 'refuse', code: -32_603, message: 'x'.repeat(9_999) }],
    UNKNOWN,
  ),
  buildAnswerTrick('says-that-it-failed', { content: [TEXT], isError: true }, ['SUCCESS']),
  buildCallTrick(
    'says-too-much',
    [
      { do: 'write', text: START },
      { do: 'write', text: 'x'.repeat(65_536), times: 5 },
      { do: 'write', text: '"}]}}\n' },
    ],
    { comesTo: ['RESULT_TOO_LARGE', 'SUCCESS'], effects: [1, 1] },
  ),
  buildCallTrick(
    'says-far-too-much',
    [
      { do: 'write', text: START },
      { do: 'write', text: 'x'.repeat(65_536), times: 170 },
    ],
    { ...UNKNOWN, timeoutMs: 8_000 },
  ),
  buildAnswerTrick('content-that-is-none', { content: 'done' }, [
    ['OBSERVATION_INVALID', 'OUTCOME_UNKNOWN'],
  ]),
  buildAnswerTrick('content-of-no-type', { content: [{ type: 'program', run: 'x' }] }, [
    ['OBSERVATION_INVALID', 'OUTCOME_UNKNOWN'],
  ]),
  buildAnswerTrick('nothing-in-it', {}, [['OBSERVATION_INVALID', 'OUTCOME_UNKNOWN', 'ANSWERED']]),
  buildAnswerTrick('no-object', 'done', [['OBSERVATION_INVALID', 'OUTCOME_UNKNOWN']]),
  buildAnswerTrick('too-deep', { content: [TEXT], structuredContent: buildDeep(200) }, WITHHELD),
  buildAnswerTrick('half-a-character', { content: [{ type: 'text', text: '\ud800' }] }, WITHHELD),
  buildAnswerTrick('asks-for-input', { resultType: 'input_required', inputRequests: {} }, [
    ['OBSERVATION_INVALID', 'OUTCOME_UNKNOWN'],
  ]),
  buildAnswerTrick('hands-out-a-task', { task: { taskId: 'x', status: 'working', ttl: 1 } }, [
    ['OBSERVATION_INVALID', 'OUTCOME_UNKNOWN', 'ANSWERED'],
  ]),
  buildAnswerTrick('forges-our-words', { content: [TEXT], _meta: FORGED }, ['ANSWERED', 'SUCCESS']),
  buildLookTrick('output-of-another-type', { content: [], structuredContent: { seen: 5 } }),
  buildLookTrick('output-that-is-missing', { content: [TEXT] }),
  buildLookTrick('output-with-more-in-it', {
    content: [],
    structuredContent: { seen: 'a', other: {} },
  }),
  {
    name: 'lies',
    by: 'server',
    plan: () => ({ call: [DONE] }),
    isLying: true,
    comesTo: ['ANSWERED', 'SUCCESS'],
    effects: [0, 0],
  },
]

function buildDeep(depth: number): JsonValue {
  let value: JsonValue = { seen: 'a' }
  for (let i = 0; i < depth; i += 1) value = { deep: value }
  return value
}
