/**
 * Sends what waits for the channels that operators set up, beside everything else that happens.
 *
 * C1 a channel is taken before it is sent to, for longer than sending may take: of several engines one sends.
 * C2 all that waits goes into one message, and the next one waits for the quiet time of the channel: a storm is two
 *    messages, not a thousand.
 * C3 what failed is tried again, later each time; after that it is kept as failed, and the channel says so.
 * C4 what somebody tries meanwhile does not have a message sent twice: what became of it is recorded beside that.
 * C5 no channel waits for another, and nothing waits for a channel.
 * C6 what an erasure takes out while it is sent is not kept as failed.
 */
import { computeBackoffMs, formatInstant, LIMITS, parseInstant } from 'rubicon-kernel'
import type { Channel, ChannelResult, ChannelStanding, Messenger } from '../../ports/channel.ts'
import type { StoredRecord } from '../../ports/record.ts'
import type { Guard, Unit, Write } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { Cutoff } from '../rows/cutoff.ts'
import {
  buildStandingGuard,
  buildStandingWrite,
  listChannelRecords,
  readStandingRecord,
  type StoredStanding,
  toStanding,
} from './channel-records.ts'
import { deliverInTime } from './deliver-in-time.ts'
import { buildQueueWrite, FAILED } from './queue.ts'

/** Longer than a channel may take, so that nobody else sends what is still under way. */
const TAKEN_MS = 2 * LIMITS.channelMs

type Waiting = readonly StoredRecord<'channel_notice'>[]

export class ChannelSender {
  readonly #deps: Deps
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #cutoff = new Cutoff()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Starts on channels that something waits for; how many. It does not wait for any of them. */
  async round(): Promise<number> {
    const { store, messenger } = this.#deps
    if (messenger === undefined) return 0
    let started = 0
    for (const channel of await listChannelRecords(store)) {
      if (channel.paused || this.#underWay.has(channel.name)) continue
      const stored = await readStandingRecord(store, channel.name)
      if (!this.#isDue(toStanding(stored))) continue
      const limit = LIMITS.channelWaiting
      const waiting = await store.listRecords('channel_notice', channel.name, { limit })
      if (waiting.length === 0) continue
      const taken = await this.#take(channel, stored)
      if (taken === null) continue
      this.#start(messenger, channel, waiting, taken)
      started += 1
    }
    return started
  }

  /** Waits for what is under way. */
  async awaitSettled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay.values()])
  }

  /** Whatever has no answer yet is left to the next engine. */
  async stop(): Promise<void> {
    this.#cutoff.end()
    await this.awaitSettled()
  }

  #isDue({ next_at }: ChannelStanding): boolean {
    return next_at === null || (parseInstant(next_at) ?? 0) <= this.#deps.clock.now()
  }

  /** Null: another engine was faster. */
  async #take({ name }: Channel, stored: StoredStanding | null): Promise<StoredStanding | null> {
    const { store, clock } = this.#deps
    const standing = toStanding(stored)
    const attempts = standing.attempts + 1
    const next_at = formatInstant(clock.now() + TAKEN_MS)
    const { ok } = await store.commit({
      guards: [buildStandingGuard(name, stored)],
      writes: [buildStandingWrite(name, { ...standing, attempts, next_at, taken: true })],
    })
    return ok ? readStandingRecord(store, name) : null
  }

  #start(messenger: Messenger, channel: Channel, waiting: Waiting, taken: StoredStanding): void {
    const sending = this.#send(messenger, channel, waiting, taken)
      // A store that fails says so to everybody else; the channel is taken again when its time is up.
      .catch(() => {})
      .finally(() => this.#underWay.delete(channel.name))
    this.#underWay.set(channel.name, sending)
  }

  async #send(
    messenger: Messenger,
    channel: Channel,
    waiting: Waiting,
    taken: StoredStanding,
  ): Promise<void> {
    const { clock, tenant, failpoints, telemetry } = this.#deps
    await failpoints.reach('notice.before_send')
    const notices = waiting.map(({ body }) => body)
    const message = { channel, tenant, notices, at: formatInstant(clock.now()) }
    const told = await deliverInTime(clock, this.#cutoff, (signal) =>
      messenger.deliver(channel.place, message, signal),
    )
    if (told === null) return
    await failpoints.reach('notice.after_send')
    const result = { ...told, at: formatInstant(clock.now()), notices: notices.length }
    const unsent = isLastAttempt(toStanding(taken)) ? 'failed' : 'retried'
    const outcome = result.ok ? 'sent' : unsent
    telemetry?.count('rubicon_notices_total', { outcome })
    await this.#record(channel.name, taken, () =>
      result.ok
        ? this.#recordSent(channel, waiting, taken, result)
        : this.#recordFailed(channel, waiting, taken, result),
    )
  }

  /** Not where another has taken it since, or it was removed. */
  async #record(
    name: string,
    taken: StoredStanding,
    build: () => Unit | Promise<Unit>,
  ): Promise<void> {
    const { store } = this.#deps
    let latest: StoredStanding | null = taken
    for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
      if (!isStillTaken(latest, taken)) return
      const { guards, writes } = await build()
      const stands = buildStandingGuard(name, latest)
      const { ok } = await store.commit({ guards: [stands, ...guards], writes })
      if (ok) return
      latest = await readStandingRecord(store, name)
    }
  }

  #recordSent(
    { name, quiet_s }: Channel,
    waiting: Waiting,
    { body }: StoredStanding,
    last: ChannelResult,
  ): Unit {
    const next_at = formatInstant(this.#deps.clock.now() + quiet_s * 1_000)
    const standing = { attempts: 0, next_at, last, given_up: body.given_up }
    return {
      guards: [],
      writes: [buildStandingWrite(name, standing), ...waiting.map(dropWaiting)],
    }
  }

  /** Later, or never again. */
  async #recordFailed(
    { name }: Channel,
    waiting: Waiting,
    taken: StoredStanding,
    last: ChannelResult,
  ): Promise<Unit> {
    const { store, clock } = this.#deps
    const body = toStanding(taken)
    const next_at = formatInstant(clock.now() + computeBackoffMs(body.attempts))
    if (!isLastAttempt(body))
      return { guards: [], writes: [buildStandingWrite(name, { ...body, next_at, last })] }
    const { at, said } = last
    const left = await this.#listLeft(name, waiting)
    const given_up = { at, said, notices: left.length }
    const kept = await store.listRecords('notice', FAILED, { limit: LIMITS.noticesFailed })
    const surplus = Math.max(0, kept.length + left.length - LIMITS.noticesFailed)
    const dropped = kept.slice(0, surplus).map(({ key }): Write => {
      return { kind: 'drop_record', record: 'notice', group: FAILED, key }
    })
    const failed = left.map(({ body: notice }) =>
      buildQueueWrite(FAILED, {
        notice: { ...notice, channel: name },
        attempts: body.attempts,
        next_at: at,
      }),
    )
    const standing = { attempts: 0, next_at, last, given_up }
    const written = [buildStandingWrite(name, standing), ...left.map(dropWaiting)]
    return {
      // An erasure that comes in between begins this over.
      guards: left.map(buildUnchangedGuard),
      writes: [...written, ...dropped, ...failed],
    }
  }

  /** Of what was sent, what is still there. */
  async #listLeft(name: string, sent: Waiting): Promise<Waiting> {
    const limit = LIMITS.channelWaiting
    const there = await this.#deps.store.listRecords('channel_notice', name, { limit })
    const keys = new Set(sent.map(({ key }) => key))
    return there.filter(({ key }) => keys.has(key))
  }
}

function isLastAttempt({ attempts }: ChannelStanding): boolean {
  return attempts >= LIMITS.noticeAttempts
}

function buildUnchangedGuard({ group, key, version }: StoredRecord<'channel_notice'>): Guard {
  return { kind: 'record_version', record: 'channel_notice', group, key, version }
}

function dropWaiting({ group, key }: StoredRecord<'channel_notice'>): Write {
  return { kind: 'drop_record', record: 'channel_notice', group, key }
}

/** A test writes how the channel stands, and leaves it taken. */
function isStillTaken(latest: StoredStanding | null, { body }: StoredStanding): boolean {
  return latest?.body.taken === true && latest.body.next_at === body.next_at
}
