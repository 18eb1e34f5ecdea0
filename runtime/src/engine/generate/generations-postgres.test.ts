/** Two engines on one database ask models for one flow. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { createEmptyDatabase, describeWithServer } from '../../adapters/postgres/testing.ts'
import { createRuntime, createScriptedProvider, type Runtime } from '../../compose.ts'
import { CONTRACT, exampleCapability } from '../../evidence/example.test-support.ts'
import type { ModelProvider } from '../../ports/model.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { iterateOpenGenerations } from '../rows/open-generations.ts'

const PRICE = { input: '1.00', output: '2.00' }
const REQUEST = { model: 'm-1', messages: [], max_tokens: 100 } as const
const AT_ONCE = 4

describeWithServer('models on Postgres', () => {
  it('engines that ask for one flow pass no bound of it together, and take each other for nobody', async (t) => {
    const held = Promise.withResolvers<void>()
    const scripted = createScriptedProvider({ script: () => 'yes', price: PRICE })
    const acme: ModelProvider = {
      ...scripted,
      async generate(request, io) {
        await held.promise
        return scripted.generate(request, io)
      },
    }
    const place = {
      store: await createEmptyDatabase(),
      stateDirectory: join(temporaryFolder(), 'state'),
      capabilities: [exampleCapability(() => {})],
      models: { acme },
      report: () => {},
    }
    const open = async (): Promise<Runtime> => {
      const runtime = await createRuntime(place)
      t.after(() => runtime.close())
      await runtime.start()
      return runtime
    }
    const [first, second] = [await open(), await open()]
    const budget_per_flow = { tokens: '1000000', usd: '10' }
    await first.deploy({ ...CONTRACT, safety_rules: { budget_per_flow } })
    const { dfid } = await first.open({ agent: 'refunds_bot', trigger: 'ticket' })
    // The second engine looks at the flow for the first time while the first one asks in it.
    const asked = Array.from({ length: 2 * AT_ONCE }, (_, n) =>
      (n % 2 === 0 ? first : second).engine.generate(dfid, REQUEST),
    )
    const codes = Promise.all(
      asked.map(async (one) => {
        const made = await one
        return made.ok ? 'made' : made.error.code
      }),
    )
    const countOpen = async (): Promise<number> => {
      let open = 0
      for await (const _ of iterateOpenGenerations(first.store)) open += 1
      return open
    }
    for (let looks = 0; looks < 200 && (await countOpen()) < AT_ONCE; looks++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal(await countOpen(), AT_ONCE)
    held.resolve()
    const counted = await codes
    assert.deepEqual(counted.toSorted(), [
      ...Array(AT_ONCE).fill('GENERATIONS_FULL'),
      ...Array(AT_ONCE).fill('made'),
    ])
  })
})
