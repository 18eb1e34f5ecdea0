/** A request to a model, and what came of it. */
import { type JsonObject, LIMITS } from 'rubicon-kernel'
import type { Generation } from 'rubicon-runtime/engine/generate'
import { flowState } from './flow.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildClosedObject,
  buildEnum,
  buildMap,
  buildWholeObject,
  count,
  identifier,
  listOf,
  nameSchema,
  open,
  string,
  text,
} from './shape.ts'

const name = text(LIMITS.modelNameLength)
const words = text(LIMITS.json.bytes)
const toolName: JsonObject = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' }

const call = nameSchema(
  'ModelToolCall',
  buildClosedObject(
    {
      id: { ...name, description: 'by which its result refers to it' },
      name: { ...name, description: 'of the tool; it may be one that does not exist' },
      arguments: { ...words, description: 'as the model wrote them: they may be no JSON at all' },
      signature: {
        ...words,
        description: 'what some providers want back with the call, as they wrote it',
      },
    },
    ['id', 'name', 'arguments'],
  ),
)

const said = { ...words, description: 'what was said' }

const message = nameSchema('ModelMessage', {
  description: 'what the agent, the model, or a tool said',
  oneOf: [
    buildClosedObject({ role: buildEnum('user'), text: said }, ['role', 'text']),
    buildClosedObject(
      {
        role: buildEnum('assistant'),
        text: said,
        calls: { ...listOf(call, LIMITS.modelCalls), description: 'what it called' },
      },
      ['role', 'text'],
    ),
    buildClosedObject(
      {
        role: buildEnum('tool'),
        call_id: { ...name, description: 'of the call that this is the result of' },
        name: { ...name, description: 'of the tool' },
        text: said,
        failed: { ...boolean, description: 'it came to nothing' },
      },
      ['role', 'call_id', 'name', 'text'],
    ),
  ],
})

export const generationRequest: JsonObject = nameSchema(
  'GenerationRequest',
  buildClosedObject(
    {
      provider: identifier,
      model: name,
      system: words,
      messages: listOf(message, LIMITS.modelMessages),
      tools: listOf(
        buildClosedObject({ name: toolName, description: words, params: open }, [
          'name',
          'description',
          'params',
        ]),
        LIMITS.modelTools,
      ),
      tool_choice: buildEnum('auto', 'required', 'none'),
      output: buildClosedObject({ name: toolName, schema: open }, ['name', 'schema']),
      decode: buildClosedObject({ kinds: listOf(identifier, LIMITS.modelTools) }, ['kinds']),
      max_tokens: { type: 'integer', minimum: 1, maximum: LIMITS.modelTokens },
      temperature: { type: 'number', minimum: 0, maximum: 2 },
      seed: { type: 'integer' },
      stop: listOf(name, 8),
    },
    ['model', 'messages', 'max_tokens'],
  ),
)

/** What was asked and said, word for word, for people. */
export const keptGeneration: JsonObject = nameSchema(
  'KeptGeneration',
  buildWholeObject({
    dfid: string,
    generation_id: string,
    request: string,
    response: allowNull(string),
    failure: allowNull(string),
  }),
)

export const generation: JsonObject = nameSchema(
  'Generation',
  buildWholeObject<Generation>(
    {
      dfid: string,
      generation_id: string,
      provider: string,
      model: string,
      text: { ...string, description: 'what the model said beside its calls' },
      calls: { ...buildArray(call), description: 'in the order in which they are to be made' },
      stop: {
        ...buildEnum('end', 'tools', 'length', 'filtered', 'other'),
        description: 'why it said no more',
      },
      usage: {
        ...allowNull(
          buildClosedObject(
            {
              input_tokens: { ...count, description: 'what the model was given' },
              output_tokens: { ...count, description: 'what it wrote' },
              cached_tokens: { ...count, description: 'of what it was given, what it had before' },
            },
            ['input_tokens', 'output_tokens'],
          ),
        ),
        description:
          'as the provider counted; null: it did not, and the largest possible is counted',
      },
      used: buildMap(string),
      state: flowState,
      grammar_hash: {
        ...string,
        description: 'of the grammar that the reply was held to, with `decode`',
      },
      proposal: {
        ...buildClosedObject(
          {
            policy_kind: { ...identifier, description: 'one of the kinds that were asked for' },
            params: { ...open, description: 'inside of the grammar' },
          },
          ['policy_kind', 'params'],
        ),
        description: 'what the model wrote inside of the grammar, with `decode`',
      },
      reason_code: string,
    },
    ['reason_code', 'grammar_hash', 'proposal'],
  ),
)
