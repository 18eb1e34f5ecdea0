/**
 * What operators set up and try of the channels of a tenant. It is no authority: nothing that decides reads it, so it
 * stands beside the ledger.
 */
import {
  err,
  type Failure,
  formatInstant,
  isIdentifier,
  LIMITS,
  ok,
  type Result,
} from 'rubicon-kernel'
import type {
  Channel,
  ChannelResult,
  ChannelSettings,
  ChannelStanding,
  Messenger,
} from '../../ports/channel.ts'
import type { StoredRecord } from '../../ports/record.ts'
import type { Deps } from '../deps.ts'
import { Cutoff } from '../rows/cutoff.ts'
import {
  buildChannelDrops,
  buildChannelGuard,
  buildChannelWrite,
  buildStandingGuard,
  buildStandingWrite,
  buildWaitingDrops,
  countWaitingNotices,
  listChannelRecords,
  readChannelRecord,
  readStandingRecord,
  toKeptStanding,
  toStanding,
} from './channel-records.ts'
import { deliverInTime, type Told } from './deliver-in-time.ts'

export type ListedChannel = Channel & {
  readonly standing: ChannelStanding
  /** Notices that are not sent yet. */
  readonly waiting: number
  /** Why nothing can be sent there as things are; null: it can be tried. */
  readonly problem: string | null
}

type Runner = {
  readonly runAsked: <T>(work: () => Promise<Result<T, Failure>>) => Promise<Result<T, Failure>>
  readonly runGuarded: <T>(work: () => Promise<T>) => Promise<T>
}

export class EngineChannels {
  readonly #deps: Deps
  readonly #runner: Runner
  /** Tests that are under way, by channel. */
  readonly #testing = new Map<string, Promise<ChannelResult>>()
  readonly #cutoff = new Cutoff()

  constructor(deps: Deps, runner: Runner) {
    this.#deps = deps
    this.#runner = runner
  }

  /** By name, with how each stands. */
  list(): Promise<readonly ListedChannel[]> {
    return this.#runner.runGuarded(async () =>
      Promise.all((await listChannelRecords(this.#deps.store)).map((one) => this.#show(one))),
    )
  }

  find(name: string): Promise<Result<ListedChannel, Failure>> {
    return this.#runner.runAsked(async () => {
      const found = await readChannelRecord(this.#deps.store, name)
      return found === null ? err(createUnknownFailure(name)) : ok(await this.#show(found.body))
    })
  }

  add(
    name: string,
    settings: ChannelSettings,
    by: string | undefined,
  ): Promise<Result<ListedChannel, Failure>> {
    return this.#runner.runAsked(async () => {
      if (!isIdentifier(name))
        return err(createInvalidFailure('its name is no identifier', NAME_FIX))
      const known = await listChannelRecords(this.#deps.store)
      if (known.some((one) => one.name === name)) return err(createExistsFailure(name))
      if (known.length >= LIMITS.channels) return err(FULL)
      return this.#put(name, settings, by, null)
    })
  }

  /** `revision`: what whoever changes it has seen. */
  change(
    name: string,
    settings: ChannelSettings,
    revision: number,
    by: string | undefined,
  ): Promise<Result<ListedChannel, Failure>> {
    return this.#runner.runAsked(async () => {
      const found = await readChannelRecord(this.#deps.store, name)
      if (found === null) return err(createUnknownFailure(name))
      if (found.body.revision !== revision) return err(createChangedFailure(found.body))
      return this.#put(name, settings, by, found)
    })
  }

  /** What still waits for it is not sent. */
  remove(name: string): Promise<Result<Channel, Failure>> {
    const { store } = this.#deps
    return this.#runner.runAsked(async () => {
      const found = await readChannelRecord(store, name)
      if (found === null) return err(createUnknownFailure(name))
      const { ok: isDone } = await store.commit({
        guards: [buildChannelGuard(name, found.version)],
        writes: [...buildChannelDrops(name), ...(await buildWaitingDrops(store, name))],
      })
      if (!isDone) return err(createChangedFailure(found.body))
      // What was copied to it between is left; from now on nothing is.
      await store.commit({ guards: [], writes: await buildWaitingDrops(store, name) })
      return ok(found.body)
    })
  }

  /** Sends a message that says that it is a test, now; what came back is kept as the last result. */
  test(name: string): Promise<Result<ChannelResult, Failure>> {
    return this.#runner.runAsked(async () => {
      const { store, messenger } = this.#deps
      const found = await readChannelRecord(store, name)
      if (found === null) return err(createUnknownFailure(name))
      if (messenger === undefined) return err(NO_MESSENGER)
      if (this.#testing.has(name)) return err(createBusyFailure(name))
      const testing = this.#tryChannel(messenger, found.body)
      this.#testing.set(name, testing)
      try {
        return ok(await testing)
      } finally {
        this.#testing.delete(name)
      }
    })
  }

  /** No test has an answer any more: whoever waits for one is told so at once. */
  async stop(): Promise<void> {
    this.#cutoff.end()
    await Promise.allSettled(this.#testing.values())
  }

  async #tryChannel(messenger: Messenger, { name, place }: Channel): Promise<ChannelResult> {
    const { store, clock, tenant } = this.#deps
    const message = { channel: { name }, tenant, notices: [], at: formatInstant(clock.now()) }
    const told = await deliverInTime(clock, this.#cutoff, (signal) =>
      messenger.deliver(place, message, signal),
    )
    const { ok: isSent, said }: Told = told ?? STOPPING
    const last = { ok: isSent, said, at: formatInstant(clock.now()), notices: 0 }
    // Nobody knows what came of it: it is no result of the channel.
    if (told === null) return last
    const stored = await readStandingRecord(store, name)
    const standing = toKeptStanding(stored)
    const isWaiting = standing.attempts > 0 && standing.taken !== true
    // Where it works now, what waits for its next attempt need not wait any longer.
    const next = last.ok && isWaiting ? { attempts: 0, next_at: null } : {}
    await store.commit({
      guards: [buildStandingGuard(name, stored)],
      writes: [buildStandingWrite(name, { ...standing, ...next, last })],
    })
    return last
  }

  async #put(
    name: string,
    settings: ChannelSettings,
    by: string | undefined,
    before: StoredRecord<'channel'> | null,
  ): Promise<Result<ListedChannel, Failure>> {
    const { store, clock, messenger } = this.#deps
    const problem = messenger?.findProblem(settings.place) ?? null
    if (problem !== null) return err(createInvalidFailure(problem, PLACE_FIX))
    const { place, tells, least, quiet_s, paused } = settings
    const channel: Channel = {
      ...{ name, place, tells: [...new Set(tells)], least, quiet_s, paused },
      revision: (before?.body.revision ?? 0) + 1,
      changed_at: formatInstant(clock.now()),
      changed_by: by ?? null,
    }
    // What a process that was killed left of one of that name is not for this one.
    const left = before === null ? await buildWaitingDrops(store, name) : []
    const { ok: isDone } = await store.commit({
      guards: [buildChannelGuard(name, before?.version ?? null)],
      writes: [buildChannelWrite(channel), ...left],
    })
    if (isDone) return ok(await this.#show(channel))
    return err(before === null ? createExistsFailure(name) : createChangedFailure(before.body))
  }

  async #show(channel: Channel): Promise<ListedChannel> {
    const { store, messenger } = this.#deps
    const standing = toStanding(await readStandingRecord(store, channel.name))
    const waiting = await countWaitingNotices(store, channel.name)
    const problem =
      messenger === undefined ? NO_MESSENGER.summary : messenger.findProblem(channel.place)
    return { ...channel, standing, waiting, problem }
  }
}

const STOPPING: Told = { ok: false, said: 'the server stops: it may have arrived or not' }

const NO_MESSENGER: Failure = {
  code: 'CHANNELS_NOT_CONFIGURED',
  summary: 'this process sends no messages to channels',
  fix: 'ask a server that runs: `rubicon up`',
}

const FULL: Failure = {
  code: 'CHANNELS_FULL',
  summary: `there are ${LIMITS.channels} channels`,
  fix: 'remove one that is not used',
}

function createUnknownFailure(name: string): Failure {
  return {
    code: 'CHANNEL_UNKNOWN',
    summary: `there is no channel \`${name}\``,
    fix: 'see `rubicon channels list`',
  }
}

function createExistsFailure(name: string): Failure {
  return {
    code: 'CHANNEL_EXISTS',
    summary: `there is a channel \`${name}\` already`,
    fix: 'change that one, or use another name',
  }
}

const NAME_FIX = 'use letters, digits and `. _ : @ -`'
const PLACE_FIX =
  'use another address, or start the server with `--channels FILE` that allows host or secret: docs/guides/administration.md'

function createInvalidFailure(why: string, fix: string): Failure {
  return { code: 'CHANNEL_INVALID', summary: 'nothing can be sent to such a channel', why, fix }
}

function createBusyFailure(name: string): Failure {
  return {
    code: 'CHANNEL_BUSY',
    summary: `a test of \`${name}\` is under way`,
    fix: 'wait for its result',
  }
}

function createChangedFailure({ name, changed_by }: Channel): Failure {
  return {
    code: 'CHANNEL_CHANGED',
    summary: `\`${name}\` was changed meanwhile`,
    ...(changed_by === null ? {} : { why: `by \`${changed_by}\`` }),
    fix: 'reload the channel, and change it again',
  }
}
