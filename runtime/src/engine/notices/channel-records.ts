/** Where channels, how they stand, and what waits for them lie in the store. */
import { LIMITS } from 'rubicon-kernel'
import type { Channel, ChannelStanding, KeptStanding } from '../../ports/channel.ts'
import type { StoredRecord } from '../../ports/record.ts'
import type { Guard, Store, Write } from '../../ports/store.ts'

const GROUP = 'channels'

export type StoredChannel = StoredRecord<'channel'>
export type StoredStanding = StoredRecord<'channel_standing'>

const UNTRIED: ChannelStanding = { attempts: 0, next_at: null, last: null, given_up: null }

/** By name. */
export async function listChannelRecords(store: Store): Promise<readonly Channel[]> {
  return (await listStoredChannels(store)).map(({ body }) => body)
}

export function listStoredChannels(store: Store): Promise<readonly StoredChannel[]> {
  return store.listRecords('channel', GROUP, { limit: LIMITS.channels })
}

export function readChannelRecord(
  store: Store,
  name: string,
): Promise<StoredRecord<'channel'> | null> {
  return store.readRecord('channel', GROUP, name)
}

export function readStandingRecord(store: Store, name: string): Promise<StoredStanding | null> {
  return store.readRecord('channel_standing', GROUP, name)
}

/** As it is shown: whether a message is under way is for engines. */
export function toStanding(stored: StoredStanding | null): ChannelStanding {
  const { taken: _, ...standing } = toKeptStanding(stored)
  return standing
}

export function toKeptStanding(stored: StoredStanding | null): KeptStanding {
  return stored?.body ?? UNTRIED
}

export function countWaitingNotices(store: Store, name: string): Promise<number> {
  return store.countRows({ of: 'records', record: 'channel_notice', group: name })
}

export function buildChannelWrite(channel: Channel): Write {
  return { kind: 'put_record', record: 'channel', group: GROUP, key: channel.name, body: channel }
}

/** What waits for a channel goes with it. */
export async function buildWaitingDrops(store: Store, name: string): Promise<readonly Write[]> {
  const limit = LIMITS.channelWaiting
  const waiting = await store.listRecords('channel_notice', name, { limit })
  return waiting.map(({ group, key }): Write => {
    return { kind: 'drop_record', record: 'channel_notice', group, key }
  })
}

export function buildStandingWrite(key: string, body: KeptStanding): Write {
  return { kind: 'put_record', record: 'channel_standing', group: GROUP, key, body }
}

/** With everything that is about it, apart from what waits for it. */
export function buildChannelDrops(key: string): readonly Write[] {
  return [
    { kind: 'drop_record', record: 'channel', group: GROUP, key },
    { kind: 'drop_record', record: 'channel_standing', group: GROUP, key },
  ]
}

/** `null` version: there is none yet. */
export function buildChannelGuard(key: string, version: number | null): Guard {
  return { kind: 'record_version', record: 'channel', group: GROUP, key, version }
}

export function buildStandingGuard(key: string, stored: StoredStanding | null): Guard {
  const version = stored?.version ?? null
  return { kind: 'record_version', record: 'channel_standing', group: GROUP, key, version }
}
