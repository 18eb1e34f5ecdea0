/** Two engines on one empty database of Postgres, which carry out refunds. */
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createEmptyDatabase } from '../../adapters/postgres/testing.ts'
import { createRuntime, type Runtime, type RuntimeOptions } from '../../compose.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'

export type TwoEngines = {
  readonly engines: readonly [Runtime, Runtime]
  /** The orders of the refunds, as either carried them out. */
  readonly sent: readonly unknown[]
}

export async function openTwoEngines(
  t: TestContext,
  options: Pick<RuntimeOptions, 'bus' | 'topics'> = {},
): Promise<TwoEngines> {
  const sent: unknown[] = []
  const refund = {
    ...exampleCapability(() => {}),
    execute({ params }: { readonly params: { readonly order?: unknown } }) {
      sent.push(params.order)
      return { result: 'done' }
    },
  }
  const place = {
    ...options,
    store: await createEmptyDatabase(),
    stateDirectory: join(temporaryFolder(), 'state'),
    capabilities: [refund],
    report: () => {},
  }
  const open = async (): Promise<Runtime> => {
    const runtime = await createRuntime(place)
    t.after(() => runtime.close())
    await runtime.start()
    return runtime
  }
  return { engines: [await open(), await open()], sent }
}
