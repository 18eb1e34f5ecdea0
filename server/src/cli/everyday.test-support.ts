/** What `dev` and `open` print before somebody stops them, as values. */
import type { TestContext } from 'node:test'
import { Command } from 'commander'
import type { Data } from './cli.test-support.ts'
import { createDevProject, startDev } from './dev/dev.test-support.ts'
import { startOpen } from './open-demo.test-support.ts'
import { registerRepositoryVerb } from './repository-verb.ts'

export async function listEverydayValues(
  t: TestContext,
): Promise<readonly (readonly [verb: string, value: Data])[]> {
  const { folder, edit } = await createDevProject()
  const dev = startDev(t, folder)
  await dev.next('contract')
  edit('contract.yaml', 'owner:', 'ownr:')
  await dev.next('problem')
  await dev.interrupt()
  const demo = await startOpen(t, 'quickstart')
  await demo.interrupt()
  return [...dev.events.map((event) => ['dev', event] as const), ['open', demo.said]]
}

/** Every command of a workspace that does something. `bench` alone does nothing. */
export async function listLeaves(name: string): Promise<readonly string[]> {
  const program = await registerRepositoryVerb(new Command(), name)
  const [top] = program.commands
  const inner = (top?.commands ?? []).map((command) => `${name} ${command.name()}`)
  return name === 'sim' ? [name, ...inner] : inner
}
