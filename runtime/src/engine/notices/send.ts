/**
 * Sends notices, beside everything else that happens.
 *
 * N1 a notice is taken before it is sent, for longer than sending may take: engines that share a
 *    store do not both send it, and one that dies leaves it to the next.
 * N2 it is sent at least once, always under the same id; what failed is tried again, later each time.
 * N3 no channel waits for another, and nothing waits for a channel.
 * N4 what was tried too often is kept as failed, where people look for it.
 * N5 channels that operators set up get their copies in the unit that takes a notice for the first time: each once.
 */
import { computeBackoffMs, formatInstant, LIMITS } from 'rubicon-kernel'
import { OPERATOR_CHANNEL } from '../../ports/notifier.ts'
import type { StoredRecord } from '../../ports/record.ts'
import type { Guard, Unit, Write } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { askOutside } from '../rows/ask-outside.ts'
import { Cutoff } from '../rows/cutoff.ts'
import { buildChannelCopies } from './channel-copies.ts'
import { listStoredChannels, type StoredChannel } from './channel-records.ts'
import {
  buildQueueWrite,
  DUE,
  FAILED,
  type QueuedNotice,
  toLastDueKey,
  toNoticeKey,
} from './queue.ts'

const PAGE = 200
/** Longer than a channel may take, so that nobody else takes what is still under way. */
const TAKEN_MS = 2 * LIMITS.noticeMs

const NONE: Unit = { guards: [], writes: [] }

type Stored = Pick<StoredRecord<'notice'>, 'key' | 'version' | 'body'>

export class NoticeSender {
  readonly #deps: Deps
  readonly #underWay = new Set<Promise<void>>()
  readonly #busy = new Map<string, number>()
  readonly #cutoff = new Cutoff()
  /** The notice that the last round ended with. */
  #last = ''

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Starts on what is due; how many. It does not wait for any channel. */
  async round(): Promise<number> {
    const { store, clock, channels } = this.#deps
    if (channels === undefined) return 0
    const until = toLastDueKey(formatInstant(clock.now()))
    const page = await store.listRecords('notice', DUE, { after: this.#last, until, limit: PAGE })
    // At the end it starts over: a channel that was busy may be free by then.
    this.#last = page.length < PAGE ? '' : (page.at(-1)?.key ?? '')
    const set = page.length === 0 ? [] : await listStoredChannels(store)
    const waiting = new Map<string, number>()
    let started = 0
    for (const stored of page) {
      const { channel } = stored.body.notice
      if ((this.#busy.get(channel) ?? 0) >= LIMITS.noticesAtOnce) continue
      const taken = await this.#take(stored, set, waiting)
      if (taken === null) continue
      this.#start(channel, taken)
      started += 1
    }
    return started
  }

  /** Waits for what is under way. */
  async awaitSettled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay])
  }

  /** Whatever has no answer yet is left to the next engine. */
  async stop(): Promise<void> {
    this.#cutoff.end()
    await this.awaitSettled()
  }

  /** Null: another engine was faster, a channel was changed, or one that was set up is all that it was for. */
  async #take(
    stored: Stored,
    set: readonly StoredChannel[],
    waiting: Map<string, number>,
  ): Promise<Stored | null> {
    const { store, clock, channels } = this.#deps
    const { notice, attempts } = stored.body
    const copies = attempts === 0 ? await buildChannelCopies(store, set, notice, waiting) : NONE
    const guards = [buildUntouchedGuard(stored), ...copies.guards]
    // Operators read the log, whatever a channel of their name is told.
    const isSet = set.some(
      ({ body: { name } }) => name === notice.channel && name !== OPERATOR_CHANNEL,
    )
    if (isSet && channels?.hasNotifier(notice.channel) !== true) {
      await store.commit({ guards, writes: [dropOf(stored), ...copies.writes] })
      return null
    }
    const next_at = formatInstant(clock.now() + TAKEN_MS)
    const body = { notice, attempts: attempts + 1, next_at }
    const outcome = await store.commit({
      guards,
      writes: [dropOf(stored), buildQueueWrite(DUE, body), ...copies.writes],
    })
    return outcome.ok ? store.readRecord('notice', DUE, toNoticeKey(body)) : null
  }

  #start(channel: string, taken: Stored): void {
    this.#busy.set(channel, (this.#busy.get(channel) ?? 0) + 1)
    const sending = this.#send(taken)
      // A store that fails says so to everybody else; the notice is taken again when its time is up.
      .catch(() => {})
      .finally(() => {
        this.#underWay.delete(sending)
        const left = (this.#busy.get(channel) ?? 1) - 1
        if (left === 0) this.#busy.delete(channel)
        else this.#busy.set(channel, left)
      })
    this.#underWay.add(sending)
  }

  async #send(taken: Stored): Promise<void> {
    const { store, clock, failpoints, channels } = this.#deps
    const { notice } = taken.body
    await failpoints.reach('notice.before_send')
    const { kind } = await askOutside(clock, this.#cutoff, {
      ms: LIMITS.noticeMs,
      ask: async () => channels?.getNotifier(notice.channel).send(notice),
      read: () => 'arrived',
    })
    if (kind === 'stopped') return
    await failpoints.reach('notice.after_send')
    const after = kind === 'said' ? this.#countSent() : await this.#retryNotice(taken.body)
    await store.commit({ guards: [buildUntouchedGuard(taken)], writes: [dropOf(taken), ...after] })
  }

  #countSent(): readonly Write[] {
    this.#count('sent')
    return []
  }

  /** Later, or never again. */
  async #retryNotice({ notice, attempts }: QueuedNotice): Promise<readonly Write[]> {
    const { store, clock } = this.#deps
    const now = clock.now()
    if (attempts < LIMITS.noticeAttempts) {
      this.#count('retried')
      const next_at = formatInstant(now + computeBackoffMs(attempts))
      return [buildQueueWrite(DUE, { notice, attempts, next_at })]
    }
    this.#count('failed')
    const kept = await store.listRecords('notice', FAILED, { limit: LIMITS.noticesFailed })
    const [oldest] = kept.length < LIMITS.noticesFailed ? [] : kept
    const dropped = oldest === undefined ? [] : [dropOf(oldest, FAILED)]
    return [...dropped, buildQueueWrite(FAILED, { notice, attempts, next_at: formatInstant(now) })]
  }

  #count(outcome: 'sent' | 'retried' | 'failed'): void {
    this.#deps.telemetry?.count('rubicon_notices_total', { outcome })
  }
}

function buildUntouchedGuard({ key, version }: Stored): Guard {
  return { kind: 'record_version', record: 'notice', group: DUE, key, version }
}

function dropOf({ key }: Stored, group: typeof DUE | typeof FAILED = DUE): Write {
  return { kind: 'drop_record', record: 'notice', group, key }
}
