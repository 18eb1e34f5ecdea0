/** Which channels a notice is copied to, each into what waits for it. */
import { LIMITS } from 'rubicon-kernel'
import { type Channel, getSeverity, NOTICE_SEVERITIES } from '../../ports/channel.ts'
import { type Notice, OPERATOR_CHANNEL } from '../../ports/notifier.ts'
import type { Guard, Store, Unit, Write } from '../../ports/store.ts'
import { buildChannelGuard, countWaitingNotices, type StoredChannel } from './channel-records.ts'

/**
 * One cause that is told on several names is one notice in each channel: its key is its time and id. A channel that was
 * removed or changed meanwhile gets none: what waits for one that is gone would go to the next of its name.
 */
export async function buildChannelCopies(
  store: Store,
  channels: readonly StoredChannel[],
  notice: Notice,
  /** Counted once a round: a storm is many notices, each for many channels. */
  waiting: Map<string, number>,
): Promise<Unit> {
  const guards: Guard[] = []
  const writes: Write[] = []
  for (const { body: channel, version } of channels.filter(({ body }) => isTold(body, notice))) {
    const before = waiting.get(channel.name) ?? (await countWaitingNotices(store, channel.name))
    waiting.set(channel.name, before + 1)
    // Whoever is not reached for a day is not sent a day's notices, nor does the store keep them.
    if (before >= LIMITS.channelWaiting) continue
    guards.push(buildChannelGuard(channel.name, version))
    writes.push({
      kind: 'put_record',
      record: 'channel_notice',
      group: channel.name,
      key: `${notice.at} ${notice.id}`,
      body: notice,
    })
  }
  return { guards, writes }
}

/**
 * A contract that names the channel tells it anything; all else is as the channel's settings say. What nobody named a
 * channel for goes to `operator`: a channel of that name has settings like any other.
 */
export function isTold(
  { name, tells, least, paused }: Pick<Channel, 'name' | 'tells' | 'least' | 'paused'>,
  { kind, channel }: Pick<Notice, 'kind' | 'channel'>,
): boolean {
  if (paused) return false
  if (channel === name && name !== OPERATOR_CHANNEL) return true
  const rank = NOTICE_SEVERITIES.indexOf(getSeverity(kind))
  return tells.includes(kind) && rank >= NOTICE_SEVERITIES.indexOf(least)
}
