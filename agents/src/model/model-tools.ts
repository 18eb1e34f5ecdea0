/**
 * What a model is offered, and what its calls mean. Arguments become the parameters of a proposal and nothing else: a
 * model names no flow, no agent and no context, whatever it writes.
 */
import { isObject, type JsonObject, parseJson } from 'rubicon-kernel/canonical'
import { err, ok, type Result } from 'rubicon-kernel/result'
import type { OfferedTool } from '../generated.ts'
import type { ModelCall, ModelTool } from './agent-model.ts'

/** Looks into the reference documents; what it finds is no proposal. */
export const SEARCH_TOOL: ModelTool = {
  name: 'rubicon_search',
  description: 'search the reference documents; nothing is done',
  params: {
    type: 'object',
    properties: { query: { type: 'string', minLength: 1, maxLength: 256 } },
    required: ['query'],
    additionalProperties: false,
  },
}

export type ToolSet = {
  readonly tools: readonly ModelTool[]
  /** By the name that the model was told. */
  readonly kinds: ReadonlyMap<string, string>
}

/** Ending the agent for good is nothing that a model is offered unasked. */
const NOT_OFFERED: readonly string[] = ['RETIRE']

export function buildToolSet(offered: readonly OfferedTool[], wanted?: readonly string[]): ToolSet {
  const isOffered = (kind: string): boolean =>
    wanted === undefined ? !NOT_OFFERED.includes(kind) : wanted.includes(kind)
  const kinds = new Map<string, string>()
  const tools = [SEARCH_TOOL]
  for (const { kind, summary = '', params, reversible, risk } of offered) {
    if (!isOffered(kind)) continue
    const name = toToolName(kind, kinds)
    kinds.set(name, kind)
    const lasting = reversible ? '' : '; it cannot be taken back'
    tools.push({
      name,
      description: `${summary === '' ? kind : summary} (risk ${risk}${lasting})`,
      params: parseSchema(params),
    })
  }
  return { tools, kinds }
}

/** Providers allow fewer characters than kinds have. */
function toToolName(kind: string, taken: ReadonlyMap<string, string>): string {
  const plain = kind.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)
  if (!taken.has(plain) && plain !== SEARCH_TOOL.name) return plain
  for (let number = 2; ; number++) {
    const name = `${plain}_${number}`
    if (!taken.has(name)) return name
  }
}

export type CallProblem = { readonly code: string; readonly summary: string; readonly fix: string }

/** The arguments, where they are an object. Everything else is told back, and costs no proposal. */
export function parseArguments({
  name,
  arguments: given,
}: ModelCall): Result<JsonObject, CallProblem> {
  // No arguments at all is how some models write that a tool takes none.
  const parsed = parseJson(given.trim() === '' ? '{}' : given)
  const fix = `call \`${name}\` again with arguments that fit its schema`
  if (!parsed.ok) return err({ code: parsed.error.code, summary: parsed.error.detail, fix })
  if (isObject(parsed.value)) return ok(parsed.value)
  return err({ code: 'SCHEMA_INVALID', summary: 'the arguments are no object', fix })
}

/** What is searched for is a text; whatever else a model writes there is told back. */
export function buildQueryProblem({ name }: ModelCall): CallProblem {
  const fix = `call \`${name}\` again with a \`query\` in words`
  return { code: 'SCHEMA_INVALID', summary: '`query` is no text, or an empty one', fix }
}

export function buildUnknownToolProblem(tools: readonly ModelTool[]): CallProblem {
  const names = tools.map(({ name }) => name).join(', ')
  return { code: 'CAPABILITY_UNKNOWN', summary: 'there is no such tool', fix: `use ${names}` }
}

function parseSchema(params: OfferedTool['params']): JsonObject {
  return params as JsonObject
}
