/** Verbs that exist only in the repository: their workspaces are not part of the package. */
import type { Command } from 'commander'
import { CliFailure } from './failure.ts'

export const REPOSITORY_VERBS: readonly { readonly name: string; readonly summary: string }[] = [
  { name: 'sim', summary: 'the storm: seeded simulation, tampering, kills' },
  { name: 'bench', summary: 'how fast it is, and against what floor' },
]

export function isRepositoryVerb(word: string): boolean {
  return REPOSITORY_VERBS.some(({ name }) => name === word)
}

/** `rubicon-sim` registers `sim …` by `simCommand(program)`; `rubicon-bench` likewise. */
export async function registerRepositoryVerb(program: Command, name: string): Promise<void> {
  const packageName = `rubicon-${name}`
  const member = `${name}Command`
  const loaded = await load(packageName)
  const register = loaded?.[member]
  if (typeof register !== 'function')
    throw new CliFailure({
      code: 'REPOSITORY_ONLY',
      summary: `\`rubicon ${name}\` works only in the repository`,
      why:
        loaded === null
          ? `the workspace \`${packageName}\` is not installed here`
          : `the workspace \`${packageName}\` has no \`${member}\``,
      fix: 'clone the repository, run `npm ci`, and run it there',
    })
  const commands = program.commands as Command[]
  const at = commands.findIndex((command) => command.name() === name)
  if (at >= 0) commands.splice(at, 1)
  await register(program)
}

async function load(packageName: string): Promise<Record<string, unknown> | null> {
  try {
    return (await import(packageName)) as Record<string, unknown>
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}
