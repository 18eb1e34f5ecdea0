/**
 * The authority of the tenant as of a seq, kept folded in memory. It is sound to cache because every
 * dispatch guards the seq that it was decided under.
 */
import { AUTHORITY, type Authority, foldAuthority, LIMITS, NO_AUTHORITY } from 'rubicon-kernel'
import type { Store } from '../ports/store.ts'

export class AuthorityCache {
  readonly #store: Store
  #authority: Authority = NO_AUTHORITY
  #loading: Promise<Authority> | null = null

  constructor(store: Store) {
    this.#store = store
  }

  /** The authority at `seq` or later. */
  async atLeast(seq: number): Promise<Authority> {
    while (this.#authority.seq < seq) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = null
      })
      await this.#loading
    }
    return this.#authority
  }

  async latest(): Promise<Authority> {
    const { authority_seq } = await this.#store.now(AUTHORITY)
    return this.atLeast(authority_seq)
  }

  /** After a failed transaction nothing that was cached can be relied on. */
  drop(): void {
    this.#authority = NO_AUTHORITY
  }

  async #load(): Promise<Authority> {
    for (;;) {
      const before = this.#authority
      const page = await this.#store.entries(AUTHORITY, before.seq + 1, LIMITS.entriesPerPage)
      // Dropped meanwhile: a tail folded onto nothing would know no revocation before it.
      if (this.#authority !== before) continue
      this.#authority = foldAuthority(before, page)
      if (page.length < LIMITS.entriesPerPage) return this.#authority
    }
  }
}
