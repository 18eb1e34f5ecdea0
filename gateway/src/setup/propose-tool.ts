/**
 * What is proposed for a tool: what it is, and what becomes of its calls. What reads passes, what writes asks, what destroys
 * is off. It is a proposal: a person's yes makes it a class, and the server's words never do.
 */
import type { FactLabel, Sha256 } from 'rubicon-kernel'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import { buildToolManifest } from '../lock/build-manifest.ts'
import { TOOL_CLASSES, type ToolClass, type ToolClassName } from '../lock/tool-class.ts'
import { readHintClass } from './hint-class.ts'
import { readNameClass } from './name-words.ts'
import { findTemplateTool, isRequired } from './templates/find-template.ts'
import type { BoundArgument, ServerTemplate, TemplateTool } from './templates/server-template.ts'

export type CallTreatment = 'asks' | 'off' | 'passes'

export type ProposedTool = {
  readonly server: string
  readonly definition: ToolDefinition
  readonly name: ToolClassName
  readonly class: ToolClass
  readonly treatment: CallTreatment
  /** Why, in words. */
  readonly ground: string
  readonly names: readonly BoundArgument[]
  /** Arguments that must be no options of a program. */
  readonly words: readonly string[]
  /** Arguments that must not lead out of what others name. */
  readonly ways: readonly string[]
}

export type ProposeOptions = {
  readonly template: ServerTemplate | undefined
  /** Whether somebody has said which folders, hosts and so on are meant. */
  readonly isBounded: (argument: BoundArgument) => boolean
  /** Arguments by which data leaves are held to facts. MCP clients name none, and are refused then. */
  readonly withSinks: boolean
  readonly sha256: Sha256
}

export function proposeTool(
  server: string,
  definition: ToolDefinition,
  options: ProposeOptions,
): ProposedTool {
  const { template } = options
  const known = template === undefined ? undefined : findTemplateTool(template, definition)
  const { name, ground } =
    known === undefined ? judge(definition) : judgeKnown(known, definition, template?.name ?? '')
  const names = known?.names ?? []
  const open = names.find((argument) => !options.isBounded(argument))
  const words = known?.words ?? []
  const ways = known?.ways ?? []
  const isLoose = (at: string): boolean => !isRequired(definition.inputSchema, at)
  const loose = [...words, ...ways].find(isLoose)
  const base = {
    ...{ server, definition, name, names },
    words: words.some(isLoose) ? [] : words,
    ways: ways.some(isLoose) ? [] : ways,
  }
  const treatment = TREATMENTS[name]
  const said = buildClass(server, name, known, options)
  // What the schema of the tool does not bear out bounds nothing, and what nothing bounds asks.
  if (!buildToolManifest(server, definition, said, options.sha256).ok)
    return {
      ...base,
      class: TOOL_CLASSES[name],
      treatment: treatment === 'off' ? 'off' : 'asks',
      ground: `${ground}; its arguments cannot be bounded`,
    }
  if (treatment === 'passes' && open !== undefined)
    return {
      ...base,
      class: said,
      treatment: 'asks',
      ground: `${ground}; nobody has said which ${open.bound}`,
    }
  // A limit is about what every call has.
  if (treatment === 'passes' && loose !== undefined)
    return {
      ...base,
      class: said,
      treatment: 'asks',
      ground: `${ground}; ${loose} may be left out`,
    }
  return { ...base, class: said, treatment, ground }
}

const TREATMENTS: Readonly<Record<ToolClassName, CallTreatment>> = {
  read: 'passes',
  write: 'asks',
  destroy: 'off',
}

type Judged = { readonly name: ToolClassName; readonly ground: string }

/** A template is milder than a hint where we know better, but what a server says that it changes is never a read. */
function judgeKnown(
  { class: name }: TemplateTool,
  { annotations }: ToolDefinition,
  template: string,
): Judged {
  const hinted = readHintClass(annotations)
  if (name === 'read' && hinted !== undefined && hinted !== 'read')
    return { name: 'write', ground: `reads by the template ${template}; its server says otherwise` }
  return { name, ground: `template ${template}` }
}

const STRICTNESS: readonly ToolClassName[] = ['read', 'write', 'destroy']

function judge({ name: tool, annotations }: ToolDefinition): Judged {
  const named = readNameClass(tool)
  const hinted = readHintClass(annotations)
  if (named === undefined && hinted === undefined)
    return { name: 'write', ground: 'nothing says what it does' }
  if (named === undefined)
    return hinted === 'read'
      ? { name: 'write', ground: 'only its server says that it reads' }
      : { name: hinted ?? 'write', ground: 'its server says so' }
  if (hinted !== undefined && STRICTNESS.indexOf(hinted) > STRICTNESS.indexOf(named))
    return { name: hinted, ground: 'its server says so' }
  return { name: named, ground: 'its name says so' }
}

/** What may steer a tool: what operators wrote, and what we know ourselves. */
const GROUNDED: readonly FactLabel[] = ['trusted', 'operator']

function buildClass(
  server: string,
  name: ToolClassName,
  known: TemplateTool | undefined,
  { withSinks }: ProposeOptions,
): ToolClass {
  const { names = [], measures, leaves = [] } = known ?? {}
  const scopes = Object.fromEntries(names.map((one) => [toSetName(server, one, names), one.at]))
  const sinks = withSinks ? Object.fromEntries(leaves.map((at) => [at, GROUNDED])) : {}
  return {
    ...TOOL_CLASSES[name],
    ...(names.length === 0 ? {} : { scopes }),
    ...(measures === undefined ? {} : { measures }),
    ...(Object.keys(sinks).length === 0 ? {} : { sinks }),
  }
}

/** The resource set of a contract: of each server its own, and where a tool names two folders, of each its own. */
export function toSetName(
  server: string,
  { bound, at }: BoundArgument,
  names: readonly BoundArgument[],
): string {
  const [first] = names.filter((one) => one.bound === bound)
  const suffix = first === undefined || first.at === at ? '' : `-${at.slice(1)}`
  return `${server}-${bound}${suffix}`
}
