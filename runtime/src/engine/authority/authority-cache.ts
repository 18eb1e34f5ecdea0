/**
 * The authority of the tenant as of a seq, kept folded in memory. It is sound to cache because every
 * dispatch guards the seq that it was decided under.
 *
 * C1 nobody gets less than was asked for: where a seq is named, the answer is at it or later.
 * C2 while the source cannot be reached, what is remembered counts for a while from its last answer,
 *    by the monotonic clock; then nothing does. An answer that says there is more than is remembered is none:
 *    whoever holds back the rest would otherwise hold back a revocation for ever.
 * C3 a store that fails is not a registry that is out of reach: nothing can be decided without it.
 * C4 what was folded once is what is folded again, however often the cache is dropped.
 * C5 where nothing is remembered and the source does not answer, what it said to an earlier process counts for what is left
 *    of its time. What it said to this one is no younger than the monotonic clock says, wherever the wall clock was set.
 * C6 what ends authority does not wait for a reading that somebody else has begun: it may stand in line at the store.
 */
import {
  AUTHORITY,
  type Authority,
  type Entry,
  foldAuthority,
  LIMITS,
  NO_AUTHORITY,
} from 'rubicon-kernel'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { ManifestSource } from '../../ports/manifest-source.ts'
import { type Store, StoreError } from '../../ports/store.ts'
import { isUrgent } from '../../ports/urgent.ts'
import { RegistryUnavailable } from '../rows/registry-unavailable.ts'
import type { HeldChain } from './held-chain.ts'

/** How often somebody looks for an entry that has to come: it may wait for its place in the tree. */
const LOOKS = 200

/** A reading that is under way. */
type Loading = { readonly done: Promise<Authority>; readonly isUrgent: boolean }

export class AuthorityCache {
  readonly #source: ManifestSource
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>
  readonly #chain: HeldChain | null
  #authority: Authority = NO_AUTHORITY
  #loading: Loading | null = null
  /** When everything that the source spoke of was here last. */
  #answeredAt = Number.NEGATIVE_INFINITY
  /** The same, kept when what is remembered is dropped; infinite: nothing was heard here yet. */
  #heardAt = Number.POSITIVE_INFINITY
  /** The last seq that the source spoke of. */
  #spokenOf = -1
  #degraded = false

  /** `chain`: null for whoever reads once. */
  constructor(
    source: ManifestSource,
    clock: Pick<Clock, 'monotonic' | 'after'>,
    chain: HeldChain | null = null,
  ) {
    this.#source = source
    this.#clock = clock
    this.#chain = chain
  }

  /** The source did not answer when it was asked last. */
  get degraded(): boolean {
    return this.#degraded
  }

  /** What is remembered, perhaps old or nothing at all: for what stays as it is once it is known. */
  get remembered(): Authority {
    return this.#authority
  }

  /** The authority at `seq` or later. What is not there yet is waited for, and not for ever. */
  async loadAtLeast(seq: number): Promise<Authority> {
    for (let looks = 0; this.#authority.seq < seq; looks++) {
      if (looks >= LOOKS) throw buildMissingError(seq, this.#authority)
      if (looks > 0) await this.#clock.after(LIMITS.lockLookMs).elapsed
      await this.#joinLoading()
    }
    return this.#authority
  }

  /** With whoever reads already, or before them. */
  #joinLoading(): Promise<Authority> {
    const underWay = this.#loading
    if (underWay !== null && (underWay.isUrgent || !isUrgent())) return underWay.done
    const done = this.#load().finally(() => {
      if (this.#loading?.done === done) this.#loading = null
    })
    this.#loading = { done, isUrgent: isUrgent() }
    return done
  }

  /** For decisions: at `seq` or later, and the source has answered within its time. */
  async loadCurrent(seq: number): Promise<Authority> {
    if (this.#isFresh()) return this.loadAtLeast(seq)
    try {
      return await this.loadAtLeast(Math.max(seq, await this.#readHead()))
    } catch (error) {
      if (!(error instanceof RegistryUnavailable) || !(await this.#loadKept())) throw error
      return this.loadAtLeast(seq)
    }
  }

  /** All that the source knows; while it does not answer, what is remembered. */
  async loadLatest(): Promise<Authority> {
    try {
      return await this.loadAtLeast(await this.#readHead())
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) throw error
      const serves = this.#authority.seq >= 0 ? this.#isFresh() : await this.#loadKept()
      if (!serves) throw error
      return this.#authority
    }
  }

  /** True: what the source said to an earlier process, or to this one before it was dropped, is remembered and counts. */
  async #loadKept(): Promise<boolean> {
    if (this.#authority.seq >= 0) return false
    const kept = (await this.#source.loadKept?.()) ?? null
    if (kept === null || this.#authority.seq >= 0) return this.#isFresh()
    const { entries, age_ms } = kept
    if (age_ms < 0 || age_ms >= LIMITS.manifestTtlMs || entries.length <= this.#spokenOf)
      return false
    this.#chain?.check(entries)
    this.#authority = foldAuthority(NO_AUTHORITY, entries)
    this.#answeredAt = Math.min(this.#clock.monotonic() - age_ms, this.#heardAt)
    this.#heardAt = this.#answeredAt
    return this.#isFresh()
  }

  /** Of entries that were folded here: throws a `HeadMismatch` where they are others than those. */
  checkFolded(entries: readonly Entry[]): void {
    this.#chain?.check(entries)
  }

  /** After a change of our own. It is durable, so that a source which is away takes nothing back. */
  async follow(seq: number): Promise<void> {
    try {
      await this.loadAtLeast(seq)
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) throw error
    }
  }

  /** After a failed transaction nothing that was cached can be relied on. */
  drop(): void {
    this.#authority = NO_AUTHORITY
    this.#answeredAt = Number.NEGATIVE_INFINITY
  }

  #isFresh(): boolean {
    return this.#clock.monotonic() - this.#answeredAt < LIMITS.manifestTtlMs
  }

  async #readHead(): Promise<number> {
    const head = await this.#askSource(this.#source.head())
    this.#spokenOf = Math.max(this.#spokenOf, head)
    this.#recordAnswer()
    return head
  }

  #recordAnswer(): void {
    if (this.#authority.seq < this.#spokenOf) return
    this.#answeredAt = this.#clock.monotonic()
    this.#heardAt = this.#answeredAt
  }

  async #load(): Promise<Authority> {
    for (;;) {
      const before = this.#authority
      const page = await this.#askSource(
        this.#source.entries(before.seq + 1, LIMITS.entriesPerPage),
      )
      // Dropped meanwhile: a tail folded onto nothing would know no revocation before it.
      if (this.#authority !== before) continue
      this.#chain?.check(page)
      this.#authority = foldAuthority(before, page)
      if (page.length >= LIMITS.entriesPerPage) continue
      this.#recordAnswer()
      return this.#authority
    }
  }

  async #askSource<T>(answer: Promise<T>): Promise<T> {
    try {
      const value = await answer
      this.#degraded = false
      return value
    } catch (error) {
      if (error instanceof StoreError) throw error
      this.#degraded = true
      throw new RegistryUnavailable('it does not answer', error)
    }
  }
}

function buildMissingError(seq: number, { seq: last }: Authority): StoreError {
  const detail = `the authority trajectory should reach entry ${seq}, and its last one is ${last}`
  return new StoreError('STORE_ERROR', detail, 'look at the store: rubicon doctor')
}

/** The registry that a tenant has when nobody names another: its own store. */
export function storeManifest(store: Store): ManifestSource {
  return {
    head: async () => (await store.readNow(AUTHORITY)).authority_seq,
    entries: (from, limit) => store.listEntries(AUTHORITY, from, limit),
  }
}

/** Everything that a store says of authority, for whoever asks once. */
export function readAuthority(store: Store): Promise<Authority> {
  const createElapsedTimer = (): Timer => ({ elapsed: Promise.resolve(), cancel: () => {} })
  return new AuthorityCache(storeManifest(store), {
    monotonic: () => 0,
    after: createElapsedTimer,
  }).loadLatest()
}
