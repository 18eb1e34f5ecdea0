/**
 * An engine that dies between an effect and its record. Where the store outlives its process, that is a process of its own,
 * which is killed. Memory does not: there the engine stays where it was, for ever, and is cut off from the store.
 */
import { spawnSync } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRuntime, type KeptMemory } from 'rubicon-runtime/compose'
import type { Stage } from '../../server/src/demo/stage.ts'
import { createSummaryCapability, SUMMARY_AGENT, SUMMARY_STEP } from './summary-provider.ts'

type Death = { readonly dfid: string; readonly isGone: boolean }

export function sendAndDie(stage: Stage, provider: string): Promise<Death> {
  const { memory } = stage
  return memory === null ? killProcess(stage, provider) : dropEngine(stage, memory, provider)
}

type Sender = {
  readonly store: string
  readonly tenant: string
  readonly stateDirectory: string
  readonly provider: string
}

/** `opened` is told the flow; `die` is called once the effect is made, and nothing comes after it. */
export async function sendUntilDeath(
  { provider, ...place }: Sender,
  opened: (dfid: string) => void,
  die: () => Promise<never>,
): Promise<void> {
  const runtime = await createRuntime({
    ...place,
    background: false,
    capabilities: [createSummaryCapability(provider)],
    failpoints: { reach: (point) => (point === 'effect.after_send' ? die() : undefined) },
  })
  const flow = await runtime.open({ agent: SUMMARY_AGENT, trigger: 'somebody who will be gone' })
  opened(flow.dfid)
  await flow.propose({
    step_id: SUMMARY_STEP,
    policy_kind: 'GENERATE_SUMMARY',
    params: { temperature: '0.5' },
  })
}

async function killProcess(stage: Stage, provider: string): Promise<Death> {
  const { store, tenant, stateDirectory } = stage
  const here = import.meta.url
  const child = fileURLToPath(new URL(`./idempotency-child${extname(here)}`, here))
  const { stdout, signal } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', child, store, tenant, stateDirectory, provider],
    { encoding: 'utf8' },
  )
  return { dfid: stdout.trim(), isGone: signal === 'SIGKILL' }
}

function dropEngine(stage: Stage, memory: KeptMemory, provider: string): Promise<Death> {
  const { store, tenant, stateDirectory } = stage
  const { promise, resolve, reject } = Promise.withResolvers<Death>()
  let dfid = ''
  const cutOff = async (): Promise<never> => {
    await memory.cutOff()
    resolve({ dfid, isGone: true })
    return new Promise<never>(() => {})
  }
  const setFlow = (id: string): void => {
    dfid = id
  }
  sendUntilDeath({ store, tenant, stateDirectory, provider }, setFlow, cutOff).then(
    () => resolve({ dfid, isGone: false }),
    reject,
  )
  return promise
}
