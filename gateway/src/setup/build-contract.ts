/**
 * The contract of the agent in whose name a client calls, from what is proposed for its tools. It is written to be read and
 * changed by a person: what passes, what asks, what is off, and which arguments are meant. A tool that is off has its bounds
 * too, and asks once it is on: whoever turns it on moves one line.
 */
import { type JsonObject, type JsonValue, toMcpKind } from 'rubicon-kernel'
import { type ProposedTool, toSetName } from './propose-tool.ts'
import type { BoundArgument, BoundName, ServerTemplate } from './templates/server-template.ts'

export type Bounds = Partial<Readonly<Record<BoundName, readonly string[]>>>

export type SetUpServer = {
  readonly name: string
  readonly template: ServerTemplate | undefined
  readonly bounds: Bounds
  readonly tools: readonly ProposedTool[]
}

export type ContractOptions = {
  readonly agent: string
  readonly owner: string
  readonly effectiveFrom: string
  /** There is one person, who approves what their own client asks for. */
  readonly selfApproval: boolean
}

export function buildContract(
  servers: readonly SetUpServer[],
  { agent, owner, effectiveFrom, selfApproval }: ContractOptions,
): JsonObject {
  const tools = servers.flatMap((one) => one.tools)
  const granted = tools.filter(({ treatment }) => treatment !== 'off')
  const asks = listKinds(tools.filter(({ treatment }) => treatment !== 'passes'))
  return {
    ...{ api_version: 'rubicon/v1', kind: 'ResponsibilityContract' },
    ...{ agent_id: agent, version: '1.0.0', owner, effective_from: effectiveFrom },
    ...{ role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' },
    mission: 'Act for an MCP client through the tools of its servers.',
    permissions: {
      policy_kinds: listKinds(granted),
      forbidden_kinds: listKinds(tools.filter(({ treatment }) => treatment === 'off')),
      ...omitEmpty('resources', buildSets(servers)),
      limits: servers.flatMap((one) => [...buildLimits(one), ...buildTextLimits(one)]),
    },
    safety_rules: {
      requires_human_approval: asks,
      ...(selfApproval ? { self_approval: 'allowed' } : {}),
    },
  }
}

function listKinds(tools: readonly ProposedTool[]): readonly string[] {
  return tools.map(toKind)
}

function toKind({ server, definition }: ProposedTool): string {
  return toMcpKind(server, definition.name)
}

function omitEmpty(name: string, value: JsonObject): JsonObject {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}

/** Those that nobody has bounded have everything in them: their tools ask. */
const EVERYTHING: readonly string[] = ['*']

function buildSets(servers: readonly SetUpServer[]): JsonObject {
  const sets: Record<string, { readonly allow: readonly string[]; applies_to: string[] }> = {}
  for (const { bounds, tools } of servers)
    for (const tool of tools) {
      if (tool.class.scopes === undefined) continue
      for (const argument of tool.names) {
        const name = toSetName(tool.server, argument, tool.names)
        const values = bounds[argument.bound]
        const allow = values === undefined ? EVERYTHING : values.flatMap(PATTERNS[argument.bound])
        sets[name] ??= { allow, applies_to: [] }
        sets[name].applies_to.push(toKind(tool))
      }
    }
  return sets
}

function keepText(text: string): readonly string[] {
  return [text]
}

/** As a person says it → what a contract compares with. */
const PATTERNS: Readonly<Record<BoundName, (said: string) => readonly string[]>> = {
  branches: keepText,
  folders: toFolderPatterns,
  hosts: (host) => [`https://${host}`, `https://${host}/*`],
  owners: keepText,
  repositories: keepText,
  tables: keepText,
}

/** The folder and what is below it. A folder without the slash would admit its neighbours. */
function toFolderPatterns(folder: string): readonly string[] {
  const plain = folder.replace(/\/+$/, '')
  return plain === '' ? ['/*'] : [plain, `${plain}/*`]
}

/** `s`: a path may have a line end in it. */
const PARENT = 're:(?s)(.*[/\\\\])?\\.\\.([/\\\\].*)?'

/** Names under which the branches are known that others build from. */
const SHARED_BRANCHES: readonly string[] = ['', 'heads/', 'refs/heads/'].flatMap((prefix) =>
  ['main', 'master', 'release*', 'production'].map((name) => `${prefix}${name}`),
)

const DENIED: Partial<Readonly<Record<BoundName, readonly string[]>>> = {
  folders: [PARENT],
  repositories: [PARENT],
  branches: SHARED_BRANCHES,
}

const OPTIONS: readonly string[] = ['-*']

/**
 * What libraries for addresses take for `..`: also written as its number, and with characters between that they pass over. Two
 * dots inside of a name are refused with it, as the same library may be asked twice.
 */
const WAYS_OUT: readonly string[] = [
  're:(?s).*([.]|%2[eE])([.]|%2[eE]).*',
  're:(?s).*[\\x00-\\x1f].*',
]

/** Of arguments that a program is handed, or that an address is made of, as they are. */
function buildTextLimits({ name, tools }: SetUpServer): readonly JsonValue[] {
  const listLimits = (
    word: string,
    denied: readonly string[],
    listFields: (tool: ProposedTool) => readonly string[],
  ): readonly JsonValue[] => {
    const given = tools.flatMap((tool) =>
      listFields(tool).map((field) => ({ field, kind: toKind(tool) })),
    )
    return [...Map.groupBy(given, ({ field }) => field)].map(([field, group]) => ({
      id: `${name}-${word}${field.replaceAll('/', '-')}`,
      ...{ field, denied, applies_to: group.map(({ kind }) => kind) },
    }))
  }
  return [
    ...listLimits('options', OPTIONS, ({ words }) => words),
    ...listLimits('ways', WAYS_OUT, ({ ways }) => ways),
  ]
}

function buildLimits({ name, template, tools }: SetUpServer): readonly JsonValue[] {
  const scoped = tools.filter((one) => one.class.scopes !== undefined)
  const named = scoped.flatMap((tool) =>
    tool.names.map((argument) => ({ argument, kind: toKind(tool) })),
  )
  const groups = Map.groupBy(named, ({ argument }) => `${argument.bound} ${argument.at}`)
  const denials = [...groups.values()].flatMap((group) => {
    const [first] = group
    const denied = first === undefined ? undefined : DENIED[first.argument.bound]
    if (first === undefined || denied === undefined) return []
    const { bound, at: field } = first.argument
    const applies_to = group.map(({ kind }) => kind)
    return [{ id: toLimitId(name, first.argument, bound), field, denied, applies_to }]
  })
  const measured = (template?.limits ?? []).flatMap(({ measure, max }) => {
    const applies_to = listKinds(
      tools.filter((one) => Object.hasOwn(one.class.measures ?? {}, measure)),
    )
    return applies_to.length === 0 ? [] : [{ id: `${name}-${measure}`, measure, max, applies_to }]
  })
  return [...denials, ...measured]
}

function toLimitId(server: string, { at }: BoundArgument, bound: BoundName): string {
  return `${server}-${bound}${at.replaceAll('/', '-').replaceAll('-*', '')}`
}
