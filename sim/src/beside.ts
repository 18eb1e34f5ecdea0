/**
 * What stands beside the engine of one process and may be slow, wrong or down: channels, a soft guard,
 * an auditor who reads meaning.
 */
import { createModelAuditor } from '../../runtime/src/adapters/guard/model-auditor.ts'
import { createModelGuard } from '../../runtime/src/adapters/guard/model-guard.ts'
import type { Deps } from '../../runtime/src/engine/deps.ts'
import type { Notice } from '../../runtime/src/ports/notifier.ts'
import type { SemanticAuditor } from '../../runtime/src/ports/semantic-auditor.ts'
import type { SoftGuard } from '../../runtime/src/ports/soft-guard.ts'
import { ADVICE_BUDGET, type AdviceEvent, createAdviserModel } from './adviser-model.ts'
import { createCanary } from './canary.ts'
import type { VirtualTime } from './clock.ts'
import type { SimProcess } from './process.ts'
import type { Faults, Swarm } from './swarm.ts'

export type BesideOptions = {
  readonly time: VirtualTime
  readonly faults: Faults
  readonly swarm: Swarm
  readonly process: SimProcess
  /** Guards and auditors ask a model, which tells what it was asked; null: they are functions. */
  readonly advised: ((event: AdviceEvent) => void) | null
  /** Called with every notice that arrives. */
  readonly told: (notice: Notice) => void
}

/** Longer than anybody waits for them. */
const SLOW_MS = 15_000

export function buildSideDeps(
  options: BesideOptions,
): Pick<Deps, 'channels' | 'softGuards' | 'strictSemanticBlocking' | 'auditors'> {
  const { guarded, audited } = options.swarm
  if (options.advised !== null)
    return {
      channels: createChannels(options),
      softGuards: [createAdvisedGuard(options)],
      strictSemanticBlocking: guarded === 'strictly',
      auditors: [createAdvisedAuditor(options)],
    }
  return {
    channels: createChannels(options),
    softGuards: guarded === 'no' ? [] : [createStormGuard(options)],
    strictSemanticBlocking: guarded === 'strictly',
    auditors: audited ? [createStormAuditor(options)] : [],
  }
}

function createChannels(options: BesideOptions): NonNullable<Deps['channels']> {
  return {
    hasNotifier: () => true,
    getNotifier: (name) => ({ name, send: (notice) => send(options, notice) }),
  }
}

function createAdvisedGuard(options: BesideOptions): SoftGuard {
  const provider = createAdviserModel(options, 'soft_guard')
  return createModelGuard({ name: 'story', provider, model: 'm', budget: ADVICE_BUDGET })
}

function createAdvisedAuditor(options: BesideOptions): SemanticAuditor {
  const provider = createAdviserModel(options, 'auditor')
  return createModelAuditor({ name: 'reader', provider, model: 'm', budget: ADVICE_BUDGET })
}

async function send({ time, faults, process, told }: BesideOptions, notice: Notice): Promise<void> {
  const slow = faults.drawFault('channel_slow') ? SLOW_MS : 0
  await process.wait(time.sleep(faults.drawBetween(1, 50) + slow))
  if (faults.drawFault('channel_down')) throw new Error(`no answer ${createCanary('error')}`)
  told(notice)
}

function createStormGuard({ time, faults, process }: BesideOptions): SoftGuard {
  return {
    name: 'story',
    async check() {
      const slow = faults.drawFault('guard_slow') ? SLOW_MS : 0
      await process.wait(time.sleep(faults.drawBetween(1, 100) + slow))
      return { mismatch: faults.drawFault('guard_objects'), why: createCanary('story') }
    },
  }
}

function createStormAuditor({ time, faults, process }: BesideOptions): SemanticAuditor {
  return {
    name: 'reader',
    async review(steps) {
      await process.wait(time.sleep(faults.drawBetween(1, 500)))
      if (faults.drawFault('review_failed'))
        throw new Error(`lost the thread ${createCanary('error')}`)
      return steps.map(({ dfid, step_id }) => {
        const verdict = step_id.endsWith('2') ? 'drifted' : 'aligned'
        return { dfid, step_id, verdict, why: createCanary('story') }
      })
    },
  }
}
