import { LIMITS, shorten } from 'rubicon-kernel'
import { type ChannelResult, NotDelivered } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { askOutside } from '../rows/ask-outside.ts'
import type { Cutoff } from '../rows/cutoff.ts'

export type Told = Pick<ChannelResult, 'ok' | 'said'>

/** What came of a message, in words that may be kept; null: the engine stops, and nobody knows. */
export async function deliverInTime(
  clock: Clock,
  cutoff: Cutoff,
  deliver: (signal: AbortSignal) => Promise<string>,
): Promise<Told | null> {
  let told: Told = { ok: false, said: `no answer within ${LIMITS.channelMs / 1_000} s` }
  const { kind } = await askOutside(clock, cutoff, {
    ms: LIMITS.channelMs,
    ask: async (signal) => {
      told = await describeDelivery(() => deliver(signal))
    },
    read: () => true,
  })
  return kind === 'stopped' ? null : told
}

/** The words of an error that nobody foresaw could quote a secret. */
async function describeDelivery(deliver: () => Promise<string>): Promise<Told> {
  try {
    return { ok: true, said: shorten(await deliver(), LIMITS.wordsLength) }
  } catch (error) {
    const said = error instanceof NotDelivered ? error.message : 'it could not be sent'
    return { ok: false, said: shorten(said, LIMITS.wordsLength) }
  }
}
