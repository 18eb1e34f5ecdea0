/** Who is who, for whoever may say so: operators, and those for whom this process vouches. */
import {
  type Failure,
  findRegisteredPerson,
  type Identity,
  NOBODY,
  ok,
  type Result,
} from 'rubicon-kernel'
import type { Context } from '../../engine-context.ts'
import type { CallRunner } from '../../oversight.ts'
import { findPerson, findUnlinkedPerson } from './find-person.ts'
import { linkIdentity, mergePersons, unlinkIdentity } from './link-person.ts'
import { listPersons, type PersonPage, type ShownPerson, showPerson } from './list-persons.ts'
import { type CameBy, identifyPerson } from './person-behind.ts'
import { ensurePerson, type Registered } from './register-person.ts'

export class PersonRegistry {
  readonly #context: Context
  readonly #runner: CallRunner
  /** For whom this process vouches. */
  readonly #names: readonly string[]

  constructor(context: Context, runner: CallRunner, names: readonly string[] = []) {
    this.#context = context
    this.#runner = runner
    this.#names = names
  }

  /** Who it is; null: nobody. */
  find(identity: Identity): Promise<string | null> {
    const context = this.#context
    return this.#runner.runGuarded(async () =>
      findPerson(context, await context.authorities.loadLatest(), identity),
    )
  }

  /** Who came; null: nobody, or nobody who can be told from another. */
  identify(came: CameBy): Promise<string | null> {
    const context = this.#context
    return this.#runner.runGuarded(async () => {
      const person = await identifyPerson(context, await context.authorities.loadLatest(), came)
      return person === NOBODY ? null : person
    })
  }

  /** Who it is, or was until an operator took it from them; null: nobody. */
  findOwner(identity: Identity): Promise<string | null> {
    const context = this.#context
    return this.#runner.runGuarded(async () => {
      const authority = await context.authorities.loadLatest()
      const found = await findPerson(context, authority, identity)
      const before = found ?? (await findUnlinkedPerson(context, identity))
      return before === null ? null : (findRegisteredPerson(authority.persons, before) ?? null)
    })
  }

  /** What an id counts as now; null: it is none. */
  resolveId(person: string): Promise<string | null> {
    const { authorities } = this.#context
    return this.#runner.runGuarded(
      async () => findRegisteredPerson((await authorities.loadLatest()).persons, person) ?? null,
    )
  }

  list(range: { readonly after?: string; readonly limit: number }): Promise<PersonPage> {
    const context = this.#context
    return this.#runner.runGuarded(async () => {
      const { persons } = await context.authorities.loadLatest()
      return listPersons(context, persons, range)
    })
  }

  /** Whose id or name it is, as they count now; null: nobody's. No name looks like an id. */
  search(text: string): Promise<ShownPerson | null> {
    const context = this.#context
    return this.#runner.runGuarded(async () => {
      const authority = await context.authorities.loadLatest()
      const { persons } = authority
      const found =
        findRegisteredPerson(persons, text) ??
        (await findPerson(context, authority, { kind: 'name', name: text }))
      return found === null ? null : showPerson(context, persons, found)
    })
  }

  /** An operator says who is called so: somebody new, if nobody is. */
  register(name: string, by?: string): Promise<Result<Registered, Failure>> {
    return this.#runner.runAsked(() => ensurePerson(this.#context, name, { word: 'said', by }))
  }

  /** An operator says that somebody may come by this as well. */
  link(person: string, identity: Identity, by?: string): Promise<Result<Registered, Failure>> {
    const said = { word: 'said', by } as const
    return this.#runner.runAsked(() => linkIdentity(this.#context, person, identity, said))
  }

  /** Who is called so, where something else vouches for the name: never whom an operator unlinked. */
  meet(name: string, by?: string): Promise<Result<Registered, Failure>> {
    return this.#runner.runAsked(() => ensurePerson(this.#context, name, { word: 'vouched', by }))
  }

  /** What somebody has as well, where something else vouches for it: never what an operator unlinked. */
  meetWith(person: string, identity: Identity, by?: string): Promise<Result<Registered, Failure>> {
    const vouched = { word: 'vouched', by } as const
    return this.#runner.runAsked(() => linkIdentity(this.#context, person, identity, vouched))
  }

  /** Nobody comes by this any more, and it is erased. */
  unlink(person: string, identity: Identity, by?: string): Promise<Result<Registered, Failure>> {
    return this.#runner.runAsked(() => unlinkIdentity(this.#context, person, identity, by))
  }

  /** Two turn out to be one human. */
  merge(person: string, into: string, by?: string): Promise<Result<Registered, Failure>> {
    return this.#runner.runAsked(() => mergePersons(this.#context, person, into, by))
  }

  /** Those for whom this process vouches, each once. Whom an operator unlinked decides nothing here. */
  async meetAll(): Promise<Result<void, Failure>> {
    for (const name of this.#names) {
      const done = await this.meet(name)
      if (!done.ok && done.error.code !== 'PERSON_UNLINKED') return done
    }
    return ok(undefined)
  }
}
