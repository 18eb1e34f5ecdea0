/** Verbs that exist only in the repository: their workspaces are not part of the package. */
import type { Command } from 'commander'
import { CliFailure } from './failure.ts'

export const REPOSITORY_VERBS: readonly { readonly name: string; readonly summary: string }[] = [
  { name: 'sim', summary: 'seeded simulation, tampering, kills' },
  { name: 'bench', summary: 'benchmarks' },
]

/** What `demo` plays. */
export const SCENARIOS_PACKAGE = 'rubicon-scenarios'

/** Whoever has installed the packages alone is not told of verbs that would refuse. */
export function isInstalled(packageName: string): boolean {
  try {
    import.meta.resolve(packageName)
    return true
  } catch {
    return false
  }
}

export function isRepositoryVerb(word: string | undefined): word is string {
  return REPOSITORY_VERBS.some(({ name }) => name === word)
}

/**
 * `rubicon-sim` registers `sim …` by `simCommand(program)`; `rubicon-bench` likewise. They bring
 * their options and set `process.exitCode`; `--json` is there for each of their commands.
 */
export async function registerRepositoryVerb(program: Command, name: string): Promise<Command> {
  const packageName = getRepositoryPackage(name)
  const member = `${name}Command`
  const loaded = await loadRepositoryPackage(name, packageName)
  const register = loaded[member]
  if (typeof register !== 'function')
    throw createRepositoryFailure(name, `the workspace \`${packageName}\` has no \`${member}\``)
  await register(program)
  for (const command of program.commands) addShared(command)
  return program
}

export function getRepositoryPackage(verb: string): string {
  return `rubicon-${verb}`
}

/** What every verb takes. */
const SHARED = [
  ['--json', 'machine-readable output on stdout'],
  ['--quiet', 'do not show progress'],
] as const

function addShared(command: Command): void {
  for (const [flag, description] of command.commands.length === 0 ? SHARED : [])
    if (!command.options.some(({ long }) => long === flag)) command.option(flag, description)
  for (const inner of command.commands) addShared(inner)
}

/** What a verb has from a workspace that is in the repository alone. */
export async function loadRepositoryPackage(
  verb: string,
  packageName: string,
): Promise<Record<string, unknown>> {
  const loaded = await load(packageName)
  if (loaded !== null) return loaded
  throw createRepositoryFailure(verb, `the workspace \`${packageName}\` is not installed here`)
}

function createRepositoryFailure(verb: string, why: string): CliFailure {
  return new CliFailure({
    code: 'REPOSITORY_ONLY',
    summary: `\`rubicon ${verb}\` works only in the repository`,
    why,
    fix: 'clone the repository, run `npm ci`, and run it there',
  })
}

async function load(packageName: string): Promise<Record<string, unknown> | null> {
  try {
    return (await import(packageName)) as Record<string, unknown>
  } catch (error) {
    const missing =
      error instanceof Error &&
      'code' in error &&
      error.code === 'ERR_MODULE_NOT_FOUND' &&
      error.message.includes(`'${packageName}'`)
    if (missing) return null
    throw error
  }
}
