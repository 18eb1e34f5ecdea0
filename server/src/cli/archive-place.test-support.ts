/** Copies of a store with a few flows, all of them ended. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { exampleRuntime } from '../../../runtime/src/evidence/example.test-support.ts'
import { type Data, home, runJson } from './cli.test-support.ts'

export type ArchivePlace = {
  readonly folder: string
  readonly at: readonly string[]
  readonly file: string
}

export type ArchiveGround = {
  readonly dfids: readonly string[]
  readonly place: () => ArchivePlace
}

/** One is refused three times, and so has ended, too. */
export async function archiveGround(): Promise<ArchiveGround> {
  const { folder: made } = home()
  const example = await exampleRuntime({
    store: `sqlite:${join(made, 'rubicon.db')}`,
    stateDirectory: join(made, 'state'),
    background: false,
  })
  const dfids: string[] = []
  for (const amount of ['20.00', '30.00', '40.00']) dfids.push((await example.refund(amount)).dfid)
  const { runtime } = example
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'too much' })
  for (const order of ['a', 'b', 'c', 'd'])
    await flow.propose({ policy_kind: 'REFUND', params: { order, amount: '9000.00' } })
  dfids.push(flow.dfid)
  await example.close()
  const place = (): ArchivePlace => {
    const { folder, at } = home()
    for (const name of readdirSync(made))
      if (name.startsWith('rubicon.db')) copyFileSync(join(made, name), join(folder, name))
    copyFolder(join(made, 'state'), join(folder, 'state'))
    return { folder, at, file: join(folder, 'old.ndjson') }
  }
  return { dfids, place }
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const one of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, one.name), join(to, one.name)]
    if (one.isDirectory()) copyFolder(source, target)
    else if (one.isFile()) copyFileSync(source, target)
  }
}

/** Every flow of now is old enough. */
export const SOON: readonly string[] = ['--before', '2999-01-01']

export async function create({ at, file }: ArchivePlace): Promise<Data> {
  const { exit, data } = await runJson(['archive', 'create', file, ...SOON, '--apply', ...at])
  assert.equal(exit, 0, JSON.stringify(data))
  return data
}
