/**
 * Which facts a capability asked for and was not given, so that a refusal can name them. What it does
 * not list in `reads` is never looked up: that is a mistake of the capability, and said apart.
 */
import type { JsonObject } from '../canonical/json-value.ts'
import { shorten } from '../canonical/shorten.ts'
import type { CapabilityLaw, FactView } from '../execution/capability.ts'
import { resolveJitFields } from '../jit/fields.ts'
import { LIMITS } from '../limits.ts'

/** How many are named: enough to see what is wrong. */
const MOST_NAMED = 8

export type WatchedFacts = {
  readonly view: FactView
  /** `absent`: nobody said it. `unread`: the capability does not list it in `reads`. */
  describeMissing(): JsonObject
}

/** World resources are named `kind.id`, as in a working context. */
export function watchFacts(view: FactView, law: CapabilityLaw, params: JsonObject): WatchedFacts {
  const asked = new Set<string>()
  return {
    view: {
      now: view.now,
      state(path) {
        const fact = view.state(path)
        if (fact === undefined) asked.add(toRecordableName(path))
        return fact
      },
      world(kind, id) {
        const fact = view.world(kind, id)
        if (fact === undefined) asked.add(toRecordableName(`${kind}.${id}`))
        return fact
      },
    },
    describeMissing() {
      if (asked.size === 0) return {}
      const listed = listDeclaredFacts(law, params)
      const listAsked = (isListed: boolean): string[] =>
        [...asked].filter((name) => listed.has(name) === isListed).slice(0, MOST_NAMED)
      const [absent, unread] = [listAsked(true), listAsked(false)]
      return {
        ...(absent.length === 0 ? {} : { absent }),
        ...(unread.length === 0 ? {} : { unread }),
      }
    },
  }
}

function listDeclaredFacts(law: CapabilityLaw, params: JsonObject): ReadonlySet<string> {
  const watched = Object.values(resolveJitFields(law, params) ?? {}).map(({ path }) => path)
  try {
    const { state, world } = law.reads(params)
    const names = [...watched, ...state, ...world.map(({ kind, id }) => `${kind}.${id}`)]
    return new Set(names.map(toRecordableName))
  } catch {
    return new Set(watched.map(toRecordableName))
  }
}

/** A name that other people's code made, perhaps of nothing. */
function toRecordableName(name: string): string {
  return shorten(`${name}`, LIMITS.wordsLength)
}
