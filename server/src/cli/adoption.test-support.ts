/** A server with artifacts and an agent that may adopt its files, for the verb that does. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { home, runJson } from './cli.test-support.ts'
import { startUp } from './up.test-support.ts'

/** What the verb is called with. `folder`: of a stage of artifacts. */
export async function prepareAdoption(
  t: TestContext,
  folder: string,
  at: readonly string[],
): Promise<readonly string[]> {
  const key = join(home().folder, 'keeper.pem')
  const subject = ['--purpose', 'agent', '--subject', 'keeper', '--out', key]
  assert.equal((await runJson(['keys', 'register', ...subject, ...at])).exit, 0)
  const project = join(folder, 'project')
  await startUp(t, [...at, '--artifacts', project])
  return [join(project, 'src'), '--root', project, '--agent', 'keeper', '--key', key, ...at]
}
