/**
 * Artifacts as tools for a coding agent: the kinds of the runtime that read, plan, apply and withdraw, under names that MCP clients take.
 * A call is an act of the agent like any other; what is said here is help, and the kernel judges the parameters by the capability's own
 * schema.
 */
import type { JsonObject } from 'rubicon-kernel'
import type { MayRead } from '../behind/servers-behind.ts'
import {
  APPLY_WORDS,
  LIST_WORDS,
  PLAN_WORDS,
  READ_WORDS,
  SYMBOLS_WORDS,
  WITHDRAW_WORDS,
} from './tool-words.ts'

export type OwnTool = {
  /** What contracts call it. */
  readonly kind: string
  /** As clients are shown it. */
  readonly definition: JsonObject
}

const NAME = { type: 'string', minLength: 1, maxLength: 256 }
const SYMBOL = { type: 'string', minLength: 1, maxLength: 1_024 }
const HASH = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' }
const OFFSET = { type: 'integer', minimum: 0, description: 'as `next` of the answer before' }

const WRITTEN = {
  type: 'array',
  items: SYMBOL,
  minItems: 1,
  maxItems: 256,
  description:
    'every symbol that is written, such as `src/auth.ts class:AuthService/method:login`; of what is new, the symbol that it becomes',
}

const PLAN = {
  plan: { ...HASH, description: '`plan` of the answer of artifact_plan' },
  symbols: { ...WRITTEN, description: '`symbols` of the answer of artifact_plan, unchanged' },
}

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
const CHANGES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  artifact_list: ['below'],
  artifact_symbols: ['symbol'],
  artifact_read: ['symbol'],
  artifact_plan: ['symbols'],
  artifact_apply: ['plan', 'symbols'],
  artifact_withdraw: ['plan', 'symbols'],
}

export const ARTIFACT_TOOLS: ReadonlyMap<string, OwnTool> = new Map(
  [
    buildTool('artifact_list', LIST_WORDS, READ_ONLY, {
      below: {
        type: 'string',
        maxLength: 256,
        description:
          'what the names begin with, such as `src/`; it has to lie within what you may read',
      },
      after: { ...NAME, description: '`next` of the answer before' },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
    }),
    buildTool('artifact_symbols', SYMBOLS_WORDS, READ_ONLY, {
      symbol: {
        ...SYMBOL,
        description:
          'an artifact, `src/auth.ts`, or a symbol in it, `src/auth.ts class:AuthService`',
      },
      depth: { type: 'integer', minimum: 1, maximum: 32, description: '1: only its members' },
      offset: OFFSET,
    }),
    buildTool('artifact_read', READ_WORDS, READ_ONLY, {
      symbol: {
        ...SYMBOL,
        description:
          'such as `src/auth.ts class:AuthService/method:login`; an artifact alone for all of it',
      },
      offset: OFFSET,
    }),
    buildTool('artifact_plan', PLAN_WORDS, CHANGES, {
      symbols: WRITTEN,
      changes: {
        type: 'array',
        minItems: 1,
        maxItems: 60,
        items: {
          type: 'object',
          properties: {
            artifact: { ...NAME, description: 'such as `src/auth.ts`' },
            base: {
              ...HASH,
              description: '`content_hash` of what you read; left out: as it is now',
            },
            deltas: {
              type: 'array',
              items: { type: 'object', properties: { op: { type: 'string' } }, required: ['op'] },
              minItems: 1,
              maxItems: 256,
            },
          },
          required: ['artifact', 'deltas'],
          additionalProperties: false,
        },
      },
      undo: {
        type: 'array',
        minItems: 1,
        maxItems: 60,
        description: 'instead of `changes`: takes applied changes back',
        items: {
          type: 'object',
          properties: { artifact: NAME, change: HASH },
          required: ['artifact', 'change'],
          additionalProperties: false,
        },
      },
      merge: {
        type: 'object',
        description: 'instead of `changes`: what a branch changed',
        properties: { trajectory: { type: 'string', minLength: 1, maxLength: 128 } },
        required: ['trajectory'],
        additionalProperties: false,
      },
    }),
    buildTool('artifact_apply', APPLY_WORDS, CHANGES, PLAN),
    buildTool('artifact_withdraw', WITHDRAW_WORDS, CHANGES, PLAN),
  ].map((tool) => [String(tool.definition.name), tool]),
)

function buildTool(
  name: string,
  description: string,
  annotations: JsonObject,
  properties: JsonObject,
): OwnTool {
  const required = [...(REQUIRED[name] ?? [])]
  const inputSchema = { type: 'object', properties, required, additionalProperties: false }
  const kind = name.replace('_', '.')
  return { kind, definition: { name, description, inputSchema, annotations } }
}

/** Those that the contract of the agent has: the others are nothing that it should try. */
export function listArtifactTools(mayCall: MayRead): readonly JsonObject[] {
  return [...ARTIFACT_TOOLS.values()]
    .filter(({ kind }) => mayCall(kind))
    .map(({ definition }) => definition)
}
