/**
 * Whether the operator allows what a manifest would do: every executor of it, also those of its probe and its
 * compensations, before any of it is called for the first time.
 */
import {
  type CommandExecutor,
  type HttpExecutor,
  isObject,
  type ManifestExecutor,
  type SecretReference,
  type ToolManifest,
} from 'rubicon-kernel'
import { findVariableProblem } from './command/build-arguments.ts'
import { findExecutableProblem } from './command/executable.ts'
import { NO_GATEWAY, type ToolAllowances } from './create-hands.ts'
import { findAllowance } from './http/allowance.ts'
import { findHeaderProblem } from './http/request-headers.ts'
import { parseUrlTemplate } from './http/url-template.ts'
import { findGrantProblem, type SecretPlace } from './secret-grants.ts'

type ExecutorProblemCode =
  | 'COMMAND_DENIED'
  | 'EGRESS_DENIED'
  | 'MANIFEST_INVALID'
  | 'SECRET_DENIED'
  | 'TOOL_DENIED'

export type ExecutorProblem = {
  readonly pointer: string
  readonly code: ExecutorProblemCode
  readonly detail: string
}

type Found = Omit<ExecutorProblem, 'pointer'>

export async function findExecutorProblems(
  allowances: ToolAllowances,
  manifest: Pick<ToolManifest, 'kind' | 'executor' | 'probe' | 'compensations'>,
): Promise<readonly ExecutorProblem[]> {
  const executors: readonly (readonly [string, ManifestExecutor])[] = [
    ['/executor', manifest.executor],
    ...(manifest.probe === undefined
      ? []
      : [['/probe/executor', manifest.probe.executor] as const]),
    ...Object.entries(manifest.compensations ?? {}).map(
      ([name, executor]) => [`/compensations/${name}`, executor] as const,
    ),
  ]
  const found = await Promise.all(
    executors.map(async ([pointer, executor]) => {
      const problems = await judgeExecutor(allowances, manifest.kind, executor)
      return problems.map((problem) => ({ pointer, ...problem }))
    }),
  )
  return found.flat()
}

async function judgeExecutor(
  allowances: ToolAllowances,
  tool: string,
  executor: ManifestExecutor,
): Promise<readonly Found[]> {
  if ('http' in executor) return judgeHttp(allowances, tool, executor.http)
  if ('command' in executor) return judgeCommand(allowances, tool, executor.command)
  return 'world' in executor ? [] : [{ code: 'TOOL_DENIED', detail: NO_GATEWAY }]
}

function judgeHttp(
  allowances: ToolAllowances,
  tool: string,
  { url: text, method, headers = {} }: HttpExecutor,
): readonly Found[] {
  const url = parseUrlTemplate(text)
  if (!url.ok) return [{ code: 'MANIFEST_INVALID', detail: url.error }]
  const { scheme, host, port } = url.value
  const allowance = findAllowance(allowances.http, url.value, method)
  if (allowance === undefined) {
    const detail = `${method} ${scheme}://${host}:${port} is not allowed`
    return [{ code: 'EGRESS_DENIED', detail }]
  }
  const problem = findHeaderProblem(headers)
  const isLocal = allowance.addresses === 'loopback'
  return [
    ...(problem === null ? [] : [{ code: 'MANIFEST_INVALID', detail: problem } as const]),
    ...judgeSecrets(allowances, tool, headers, { kind: 'host', scheme, host, port, isLocal }),
  ]
}

async function judgeCommand(
  allowances: ToolAllowances,
  tool: string,
  { argv, env = {} }: CommandExecutor,
): Promise<readonly Found[]> {
  const [path] = argv
  if (typeof path !== 'string')
    return [{ code: 'MANIFEST_INVALID', detail: 'its first argument is no path' }]
  const denied = await findExecutableProblem(allowances.commands, path)
  if (denied !== null) return [{ code: 'COMMAND_DENIED', detail: `\`${path}\` ${denied}` }]
  const problem = findVariableProblem(env)
  return [
    ...(problem === null ? [] : [{ code: 'MANIFEST_INVALID', detail: problem } as const]),
    ...judgeSecrets(allowances, tool, env, { kind: 'command', path }),
  ]
}

function judgeSecrets(
  { secrets }: ToolAllowances,
  tool: string,
  named: Readonly<Record<string, string | SecretReference>>,
  place: SecretPlace,
): readonly Found[] {
  return Object.values(named).flatMap((value) => {
    const problem = isObject(value) ? findGrantProblem(secrets, value, tool, place) : null
    return problem === null ? [] : [{ code: 'SECRET_DENIED', detail: problem } as const]
  })
}
